"""One turn of a language model that plays a part in the protocol: drawn, and drawn again if it is in no form."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import replace

from scribe.backend import Backend, Constraint, Sampling
from scribe.dialect import Dialect, Final, MarkerDialect
from scribe.messages import END_OF_REASONING, OPENER, Message, defuse
from scribe.plumbing.errors import ContextFull

TRIES = 3
MARKERS = MarkerDialect()
_ANSWER = Constraint(tools={}, allow=frozenset({"answer"}))

MakePrompt = Callable[[int], Sequence[Message]]
"""The messages of a prompt that shows so many of the last turns."""


def draw_text(
    backend: Backend,
    make_prompt: MakePrompt,
    turns: int,
    sampling: Sampling,
    fits: Callable[[str], bool] = bool,
    dialect: Dialect = MARKERS,
) -> str:
    """What the model says, of the first of some tries whose text fits; else the last text without its markers.

    turns: how many turns the prompt may show; where they do not fit the context the oldest two are left out at a time.
    Raises BackendError.
    """
    text = ""
    for number in range(TRIES):
        seed = mix_seed(str(sampling.seed), "again", str(number)) if number else sampling.seed
        raw = _complete(backend, make_prompt, turns, replace(sampling, seed=seed))
        reading = dialect.read(raw)
        text = reading.text if isinstance(reading, Final) else _strip(raw)
        if isinstance(reading, Final) and fits(text):
            break
    return text


def mix_seed(*parts: str) -> int:
    """One seed of 31 bits for what the parts name."""
    return int.from_bytes(hashlib.sha256("\0".join(parts).encode()).digest()[:4], "big") >> 1


def _complete(backend: Backend, make_prompt: MakePrompt, turns: int, sampling: Sampling) -> str:
    while True:
        try:
            said = backend.complete(make_prompt(turns), sampling, _ANSWER)
        except ContextFull:
            if turns <= 1:
                raise
            turns = max(1, turns - 2)
            continue
        return OPENER + said.text.lstrip().removeprefix(OPENER)


def _strip(raw: str) -> str:
    """What of a malformed turn can be said: what follows the reasoning, or all of it."""
    _, ended, rest = raw.partition(END_OF_REASONING)
    return defuse(rest if ended else raw.removeprefix(OPENER)).strip()
