"""A tokenizer.json that splits text as Llama 3 does, as GGUF holds it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import gguf

from finetune.export.reading import read_json
from scribe.errors import UsageError

LLAMA3_SPLIT = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}"
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
"""How Llama 3 splits text before BPE. llama.cpp knows it as the pre-tokenizer "llama-bpe"."""

BEGIN, END_OF_TURN, END = "<|begin_of_text|>", "<|eot_id|>", "<|end_of_text|>"


def read_tokenizer(folder: Path, size: int) -> Mapping[str, Any]:
    """The folder's tokenizer.json, for a model with `size` tokens.

    Raises ModelFileError, or UsageError for one that llama.cpp would read as something else.
    """
    path = folder / "tokenizer.json"
    tokenizer = read_json(path)
    for problem, holds in _problems(tokenizer, size).items():
        if holds:
            raise UsageError(f"{path}: {problem}; it cannot be exported here")
    return tokenizer


def _problems(tokenizer: Mapping[str, Any], size: int) -> dict[str, bool]:
    model, added = tokenizer.get("model") or {}, tokenizer.get("added_tokens") or []
    names = {token["content"] for token in added}
    last = max([*(model.get("vocab") or {}).values(), *(token["id"] for token in added)], default=0)
    return {
        "it must be a BPE with ignore_merges": model.get("type") != "BPE" or not model.get("ignore_merges"),
        "it must split text as Llama 3 does and change nothing before": not _splits(tokenizer),
        "it drops merges, falls back to bytes or marks words": any(
            model.get(key) for key in ("dropout", "byte_fallback", "continuing_subword_prefix", "end_of_word_suffix")
        ),
        "an added token that is not special would be recognised in a student's text": any(
            not token["special"] for token in added
        ),
        f"it has no {BEGIN} or no {END_OF_TURN}, so the chat cannot use it": not {BEGIN, END_OF_TURN} <= names,
        f"its ids go up to {last}, and the model has {size} tokens": last >= size,
    }


def _splits(tokenizer: Mapping[str, Any]) -> bool:
    """Whether text is split by Llama 3's pattern and then read as bytes, and that is all."""
    outer = tokenizer.get("pre_tokenizer") or {}
    parts = outer.get("pretokenizers", [outer])
    if tokenizer.get("normalizer") or [part.get("type") for part in parts] != ["Split", "ByteLevel"]:
        return False
    split, as_bytes = parts
    plain = not (split.get("invert") or as_bytes.get("add_prefix_space") or as_bytes.get("use_regex"))
    return plain and split.get("behavior") == "Isolated" and split["pattern"].get("Regex") == LLAMA3_SPLIT


def add_tokenizer(writer: gguf.GGUFWriter, tokenizer: Mapping[str, Any], size: int, template: str | None) -> None:
    """Write the vocabulary, its merges and the tokens that begin and end."""
    model = tokenizer["model"]
    special = {token["id"]: token["content"] for token in tokenizer["added_tokens"]}
    names = {index: name for name, index in model["vocab"].items()} | special
    control, normal, unused = gguf.TokenType.CONTROL, gguf.TokenType.NORMAL, gguf.TokenType.UNUSED
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("llama-bpe")
    writer.add_token_list([names.get(index, f"[PAD{index}]") for index in range(size)])
    writer.add_token_types(
        [control if index in special else normal if index in names else unused for index in range(size)]
    )
    writer.add_token_merges([pair if isinstance(pair, str) else " ".join(pair) for pair in model["merges"]])
    ids = {name: index for index, name in special.items()}
    writer.add_bos_token_id(ids[BEGIN])
    writer.add_eot_token_id(ids[END_OF_TURN])
    writer.add_eos_token_id(ids.get(END, ids[END_OF_TURN]))
    if template:
        writer.add_chat_template(template)


def chat_template(folder: Path) -> str | None:
    """The folder's own chat template, for servers that apply one; ours needs none."""
    file, config = folder / "chat_template.jinja", folder / "tokenizer_config.json"
    if file.is_file():
        return file.read_text(encoding="utf-8")
    found = read_json(config).get("chat_template") if config.is_file() else None
    return found if isinstance(found, str) else None
