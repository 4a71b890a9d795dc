"""SmolLM2's tokenizer, rebuilt for the Hugging Face format from what its GGUF file says of it."""

from typing import Any

import gguf
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers

from scribe.errors import ModelFileError

_PREFIX = "tokenizer.ggml."


def build_tokenizer(reader: gguf.GGUFReader) -> Tokenizer:
    """The tokenizer: digits one by one, then GPT-2's split and byte-level BPE.

    Raises ModelFileError for a file whose tokenizer is of another kind.
    """
    kind = (_read(reader, "model"), _read(reader, "pre"))
    if kind != ("gpt2", "smollm"):
        raise ModelFileError(f"a tokenizer of the kind {kind}, not SmolLM2's, cannot be converted")
    names, types = _read(reader, "tokens"), _read(reader, "token_type")
    merges = [tuple(pair.split(" ")) for pair in _read(reader, "merges")]
    tokenizer = Tokenizer(models.BPE({name: index for index, name in enumerate(names)}, merges))
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)]
    )
    tokenizer.decoder = decoders.ByteLevel()
    control = [name for name, kind in zip(names, types, strict=True) if kind == gguf.TokenType.CONTROL]
    tokenizer.add_special_tokens([AddedToken(name, special=True, normalized=False) for name in control])
    return tokenizer


def describe_tokenizer(reader: gguf.GGUFReader) -> dict[str, Any]:
    """The content of tokenizer_config.json."""
    names = _read(reader, "tokens")
    kinds = {"bos": "bos", "eos": "eos", "pad": "padding", "unk": "unknown"}
    ids = {ours: reader.get_field(f"{_PREFIX}{theirs}_token_id") for ours, theirs in kinds.items()}
    template = reader.get_field("tokenizer.chat_template")
    return {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "model_max_length": reader.get_field("llama.context_length").contents(),
        "clean_up_tokenization_spaces": False,
        "add_prefix_space": False,
        "chat_template": template.contents() if template else None,
        **{f"{kind}_token": names[field.contents()] for kind, field in ids.items() if field},
    }


def _read(reader: gguf.GGUFReader, key: str) -> Any:
    field = reader.get_field(_PREFIX + key)
    if field is None:
        raise ModelFileError(f"the file says nothing of {_PREFIX}{key}")
    return field.contents()
