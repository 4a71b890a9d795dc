"""A tokenizer.json of a kind that llama.cpp splits text alike for, as GGUF holds it: Llama 3's and SmolLM2's."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import gguf

from data.pretrained.adapter import read_json
from scribe.decoding.chat_format import CHATML, LLAMA3, ChatFormat
from scribe.plumbing.errors import UsageError

LLAMA3_SPLIT = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}"
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
"""How Llama 3 splits text before BPE."""


@dataclass(frozen=True, slots=True)
class TokenizerKind:
    """A way to split text that llama.cpp knows by the name `pre_tokenizer`.

    split: the pre-tokenizers in tokenizer.json, each with what matters of it. ignore_merges: whether a piece that is a
    token as a whole is taken without merging. begin: the BOS token. end: the EOS token, if it is there; else the
    chat's end of turn. begins_itself: whether a server puts BOS before a prompt; None leaves that to llama.cpp.
    """

    pre_tokenizer: str
    split: tuple[Mapping[str, Any], ...]
    ignore_merges: bool
    chat: ChatFormat
    begin: str
    end: str
    begins_itself: bool | None


LLAMA3_KIND = TokenizerKind(
    pre_tokenizer="llama-bpe",
    split=(
        {"type": "Split", "pattern": {"Regex": LLAMA3_SPLIT}, "behavior": "Isolated", "invert": False},
        {"type": "ByteLevel", "add_prefix_space": False, "use_regex": False},
    ),
    ignore_merges=True,
    chat=LLAMA3,
    begin=LLAMA3.prompt_start,
    end="<|end_of_text|>",
    begins_itself=None,
)
SMOLLM2_KIND = TokenizerKind(
    pre_tokenizer="smollm",
    split=(
        {"type": "Digits", "individual_digits": True},
        {"type": "ByteLevel", "add_prefix_space": False, "use_regex": True},
    ),
    ignore_merges=False,
    chat=CHATML,
    begin=CHATML.header_token,
    end=CHATML.end_of_turn,
    begins_itself=False,
)
KINDS = (LLAMA3_KIND, SMOLLM2_KIND)


def read_tokenizer(folder: Path, size: int) -> tuple[Mapping[str, Any], TokenizerKind]:
    """The folder's tokenizer.json, for a model with `size` tokens, and its kind.

    Raises ModelFileError, or UsageError for one that llama.cpp would read as something else.
    """
    path = folder / "tokenizer.json"
    tokenizer = read_json(path)
    kind = next((each for each in KINDS if _splits(tokenizer, each)), None)
    if kind is None:
        raise UsageError(
            f"{path}: it must split text as Llama 3 or SmolLM2 and change nothing before; it cannot be exported here"
        )
    model, added = tokenizer.get("model") or {}, tokenizer.get("added_tokens") or []
    names = {token["content"] for token in added}
    last = max([*(model.get("vocab") or {}).values(), *(token["id"] for token in added)], default=0)
    others = ("dropout", "byte_fallback", "continuing_subword_prefix", "end_of_word_suffix")
    wanted, missing = kind.ignore_merges, sorted({*kind.chat.control_tokens, kind.begin} - names)
    problems = {
        f"it must be a BPE {'with' if wanted else 'without'} ignore_merges": (
            model.get("type") != "BPE" or bool(model.get("ignore_merges")) is not wanted
        ),
        "it drops merges, falls back to bytes or marks words": any(model.get(key) for key in others),
        "an added token that is not special would be recognised in a student's text": any(
            not token["special"] for token in added
        ),
        f"it has no {' and no '.join(missing)}, so the chat cannot use it": bool(missing),
        f"its ids go up to {last}, and the model has {size} tokens": last >= size,
    }
    for problem, holds in problems.items():
        if holds:
            raise UsageError(f"{path}: {problem}; it cannot be exported here")
    return tokenizer, kind


def _splits(tokenizer: Mapping[str, Any], kind: TokenizerKind) -> bool:
    """Whether text is split as this kind does it and then read as bytes, and that is all."""
    outer = tokenizer.get("pre_tokenizer") or {}
    parts = outer.get("pretokenizers", [outer])
    if tokenizer.get("normalizer") or len(parts) != len(kind.split):
        return False
    return all(wanted.items() <= part.items() for part, wanted in zip(parts, kind.split, strict=True))


def add_tokenizer(
    writer: gguf.GGUFWriter, tokenizer: Mapping[str, Any], kind: TokenizerKind, size: int, template: str | None
) -> None:
    """Write the vocabulary, its merges and the tokens that begin and end."""
    model = tokenizer["model"]
    special = {token["id"]: token["content"] for token in tokenizer["added_tokens"]}
    names = {index: name for name, index in model["vocab"].items()} | special
    control, normal, unused = gguf.TokenType.CONTROL, gguf.TokenType.NORMAL, gguf.TokenType.UNUSED
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre(kind.pre_tokenizer)
    writer.add_token_list([names.get(index, f"[PAD{index}]") for index in range(size)])
    writer.add_token_types(
        [control if index in special else normal if index in names else unused for index in range(size)]
    )
    writer.add_token_merges([pair if isinstance(pair, str) else " ".join(pair) for pair in model["merges"]])
    ids = {name: index for index, name in special.items()}
    end_of_turn = ids[kind.chat.end_of_turn]
    writer.add_bos_token_id(ids[kind.begin])
    writer.add_eot_token_id(end_of_turn)
    writer.add_eos_token_id(ids.get(kind.end, end_of_turn))
    if kind.begins_itself is not None:
        writer.add_add_bos_token(kind.begins_itself)
    if template:
        writer.add_chat_template(template)
