"""What the constraint costs for each token at the size of Llama 3's vocabulary, 128,256 tokens.

    python -m eval.bench.grammar_mask

The vocabulary is made up: all bytes, then random words and pieces of words of lengths as in Llama 3's, with and
without a space before them. A turn is written token by token as a trained model would. Timed are, for each token:
asking whether it is allowed and going on, which is all that is needed while the model keeps to the format; and the
mask, which is needed when it does not.
"""

import itertools
import random
import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial

import numpy as np
from llguidance import LLTokenizer, TokenizerWrapper

from scribe.backend import Constraint
from scribe.decoding.grammar import Grammars, Guide

SIZE = 128_256
TURN = (
    " The student asks why week 4 went so badly. The report names the videos opened on time, so I look up which "
    "behaviours mattered most in that week. [END_OF_REASONING]\n"
    '[TOOL_CALL]{"name": "sort_student_features_with_importance", "arguments": {"week": 4}}[END_OF_TOOL_CALL]'
)
WEEK = {"type": "object", "properties": {"week": {"type": "integer", "minimum": 1, "maximum": 10}}}
QUERY = {"type": "object", "properties": {"query": {"type": "string"}}}
TOOLS = {
    **dict.fromkeys(("map_week_to_topic", "get_dependant_topics", "sort_student_features_with_importance"), WEEK),
    **dict.fromkeys(("textbook_search", "exercise_search", "impact_of_student_behaviors"), QUERY),
}


@dataclass(slots=True)
class Vocabulary:
    """A tokenizer as llguidance takes it: the longest token that fits comes next."""

    tokens: list[bytes]
    eos_token_id: int = SIZE - 1
    bos_token_id: int = SIZE - 2
    ids: dict[bytes, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.ids = {token: at for at, token in enumerate(self.tokens)}

    def __call__(self, text: bytes) -> list[int]:
        found = []
        while text:
            length = next(n for n in range(min(16, len(text)), 0, -1) if text[:n] in self.ids)
            found.append(self.ids[text[:length]])
            text = text[length:]
        return found


def vocabulary(seed: int = 0) -> Vocabulary:
    """Bytes, what JSON is made of, the turn's words, and random ones."""
    made = dict.fromkeys(bytes([byte]) for byte in range(256))
    made |= dict.fromkeys(word.encode() for word in ('": ', '{"', '", "', "}}", "]\n", " [", "_OF", *TURN.split()))
    made |= dict.fromkeys(str(number).encode() for number in range(1000))
    words = (word.encode() for word in _words(random.Random(seed)))
    made |= dict.fromkeys(itertools.islice((word for word in words if word not in made), SIZE - 2 - len(made)))
    return Vocabulary([*made, b"<|begin_of_text|>", b"<|eot_id|>"])


def _words(random: random.Random) -> Iterator[str]:
    """Each once; about half begin with a space, one in six with a capital letter."""
    seen = set()
    while True:
        length = random.choice((2, 3, 3, 4, 4, 5, 5, 6, 7, 8, 9, 11))
        word = "".join(random.choices("etaoinshrdlucmfwypvbgkjqxz", range(26, 0, -1), k=length))
        word = random.choice(("", " ")) + (word.capitalize() if random.random() < 1 / 6 else word)
        if word not in seen:
            seen.add(word)
            yield word


def timed(action: Callable[[], object]) -> float:
    """Milliseconds of this thread's processor time."""
    began = time.thread_time()
    action()
    return 1000 * (time.thread_time() - began)


def costs(guide: Guide, tokens: list[int]) -> tuple[list[float], list[float]]:
    """For each token of a turn: asking for it and going on, and the mask, in milliseconds."""
    logits = np.random.default_rng(0).normal(size=SIZE).astype(np.float32)
    free, masks = [], []
    for token in tokens:
        masks.append(timed(lambda: guide.masked(logits)))
        free.append(timed(partial(_on, guide, token)))
    return free, masks


def _on(guide: Guide, token: int) -> bool:
    return guide.allows(token) and guide.accept(token)


def main() -> None:
    """Write the turn three times and print what it cost; the first time fills llguidance's caches."""
    made = vocabulary()
    grammars = Grammars(LLTokenizer(TokenizerWrapper(made)))
    print(f"compiling the grammar: {timed(lambda: grammars.guide(Constraint(TOOLS))):.0f} ms, once")
    tokens = made(TURN.encode())
    for turn in ("first", "second", "third"):
        free, masks = costs(grammars.guide(Constraint(TOOLS)), tokens)
        for name, times in (("allowed and on", free), ("mask", masks)):
            mean, middle = statistics.fmean(times), statistics.median(times)
            shown = f"mean {mean:.3f} ms, median {middle:.3f}, slowest {max(times):.3f}"
            print(f"{turn} turn, {len(times)} tokens, {name}: {shown}")


if __name__ == "__main__":
    main()
