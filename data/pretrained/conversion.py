"""Converts the base model's GGUF file into a folder in the Hugging Face format, for training and for transformers.

python -m data.pretrained.conversion
"""

import json
from pathlib import Path
from typing import Any

import gguf
import numpy as np
from safetensors.numpy import save_file
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers

from data.pretrained.adapter import LINEAR, NORMS, Weights, to_halves
from data.pretrained.package import GGUF_SHA256, find_base_gguf
from scribe.plumbing.errors import ModelFileError
from scribe.plumbing.files import build_once, cache_folder

_MODULES = {theirs: ours for ours, theirs in (LINEAR | NORMS).items()}
_OTHER_TENSORS = {
    "token_embd.weight": "model.embed_tokens.weight",
    "output_norm.weight": "model.norm.weight",
    "output.weight": "lm_head.weight",
}
_CONVERSION = 1  # To be raised when the folder that is written changes, so that no older one is taken for it


def open_base_folder() -> Path:
    """The base model as a folder for transformers in the cache, made if absent (540 MB). Raises ModelFileError."""
    source = find_base_gguf()
    target = cache_folder() / f"smollm2-135m-instruct-{GGUF_SHA256[:12]}-v{_CONVERSION}"
    return build_once(target, lambda partial: convert_gguf(source, partial))


def convert_gguf(source: Path, folder: Path) -> None:
    """Write a Llama's GGUF file as model.safetensors, config.json, tokenizer.json and tokenizer_config.json."""
    reader = gguf.GGUFReader(source)
    config = _describe_model(reader)
    folder.mkdir(parents=True)
    _write_json(folder / "config.json", config)
    build_tokenizer(reader).save(str(folder / "tokenizer.json"))
    _write_json(folder / "tokenizer_config.json", describe_tokenizer(reader))
    heads = {"q_proj": config["num_attention_heads"], "k_proj": config["num_key_value_heads"]}
    weights = dict(_convert_tensor(tensor, heads) for tensor in reader.tensors)
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})


def _convert_tensor(tensor: Any, heads: dict[str, int]) -> tuple[str, Weights]:
    name = _OTHER_TENSORS.get(tensor.name)
    if name is None:
        _, layer, module, kind = tensor.name.split(".")
        name = f"model.layers.{layer}.{_MODULES[module]}.{kind}"
    weights: Weights = gguf.dequantize(tensor.data, tensor.tensor_type).astype(np.float32)
    count = heads.get(name.split(".")[-2], 0)
    return name, to_halves(weights, count) if count else weights


def _describe_model(reader: gguf.GGUFReader) -> dict[str, Any]:
    """The content of config.json."""

    def value(key: str) -> Any:
        return _read_field(reader, key)

    pad = reader.get_field("tokenizer.ggml.padding_token_id")  # not every model has one
    theta, heads = float(value("llama.rope.freq_base")), int(value("llama.attention.head_count"))
    return {
        "architectures": ["LlamaForCausalLM"],
        "model_type": "llama",
        "hidden_act": "silu",
        "hidden_size": int(value("llama.embedding_length")),
        "intermediate_size": int(value("llama.feed_forward_length")),
        "num_hidden_layers": int(value("llama.block_count")),
        "num_attention_heads": heads,
        "num_key_value_heads": int(value("llama.attention.head_count_kv")),
        "head_dim": int(value("llama.rope.dimension_count")),
        "max_position_embeddings": int(value("llama.context_length")),
        "rms_norm_eps": float(str(np.float32(value("llama.attention.layer_norm_rms_epsilon")))),
        "rope_parameters": {"rope_type": "default", "rope_theta": theta},
        "vocab_size": len(value("tokenizer.ggml.tokens")),
        "tie_word_embeddings": True,
        "attention_bias": False,
        "mlp_bias": False,
        "bos_token_id": value("tokenizer.ggml.bos_token_id"),
        "eos_token_id": value("tokenizer.ggml.eos_token_id"),
        "pad_token_id": pad.contents() if pad else None,
        "dtype": "float32",
    }


def build_tokenizer(reader: gguf.GGUFReader) -> Tokenizer:
    """Digits one by one, then GPT-2's split and byte-level BPE. Raises ModelFileError for one of another kind."""
    kind = (_read_field(reader, "tokenizer.ggml.model"), _read_field(reader, "tokenizer.ggml.pre"))
    if kind != ("gpt2", "smollm"):
        raise ModelFileError(f"a tokenizer of the kind {kind}, not SmolLM2's, cannot be converted")
    names, types = _read_field(reader, "tokenizer.ggml.tokens"), _read_field(reader, "tokenizer.ggml.token_type")
    merges = [tuple(pair.split(" ")) for pair in _read_field(reader, "tokenizer.ggml.merges")]
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
    names = _read_field(reader, "tokenizer.ggml.tokens")
    kinds = {"bos": "bos", "eos": "eos", "pad": "padding", "unk": "unknown"}
    ids = {ours: reader.get_field(f"tokenizer.ggml.{theirs}_token_id") for ours, theirs in kinds.items()}
    template = reader.get_field("tokenizer.chat_template")
    return {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "model_max_length": _read_field(reader, "llama.context_length"),
        "clean_up_tokenization_spaces": False,
        "add_prefix_space": False,
        "chat_template": template.contents() if template else None,
        **{f"{kind}_token": names[field.contents()] for kind, field in ids.items() if field},
    }


def _read_field(reader: gguf.GGUFReader, key: str) -> Any:
    field = reader.get_field(key)
    if field is None:
        raise ModelFileError(f"the file says nothing of {key}")
    return field.contents()


def _write_json(path: Path, content: Any) -> None:
    path.write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    print(open_base_folder())
