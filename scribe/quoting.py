"""A second guard, for a model that only ever quotes: no word or pair of words of its own, no phrase over and over.

A small model copies sentence by sentence from what tools say. Where that goes wrong it makes up words or runs in
a circle, which `grounding` does not see: there is no number or name in it. Or it goes on
in another sentence than it began, which `neighbours` sees.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from scribe import neighbours
from scribe.errors import ModelFileError
from scribe.messages import defuse
from scribe.trajectory import Trajectory

Check = Callable[[Trajectory, str], Sequence[str]]

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_JSON = re.compile(r'"\s*,\s*"\w+"\s*:|"\w+"\s*:\s*["\[{]|"\s*}+')
"""The end of a string and the next key, which belong to a tool's result and to no sentence."""
SHORTEST = 3
"""Letters; shorter words say nothing."""
RUN, TIMES = 5, 4
"""A run of so many words, so many times, is a circle."""
SHOWN = 3
"""Complaints of torn sentences; more would say no more."""


@dataclass(frozen=True, slots=True)
class Quoting:
    """Another check, and then: every word must stand in the sources or be one that the model may add itself.

    pairs: the same of words side by side; None for a model that none are known of, whose pairs are not looked at.
    """

    check: Check
    own: frozenset[str]
    pairs: frozenset[neighbours.Pair] | None = None

    def __call__(self, trajectory: Trajectory, answer: str) -> Sequence[str]:
        """What the other check says; if nothing, words that come from nowhere, JSON, a phrase said too often.

        Only of an answer that has none of these, places where two sentences were torn and put together: around a word
        from nowhere every pair is new.
        """
        complaints = tuple(self.check(trajectory, answer))
        if complaints:
            return complaints
        heard = words("\n".join(_sources(trajectory)))
        invented = sorted(words(answer) - heard - self.own)
        leaked = dict.fromkeys(_JSON.findall(answer))
        return (*_quoted(invented), *_quoted(leaked), *_circles(answer)) or self._torn(trajectory, answer)

    def _torn(self, trajectory: Trajectory, answer: str) -> tuple[str, ...]:
        if self.pairs is None:
            return ()
        return _quoted(dict.fromkeys(neighbours.torn(trajectory, answer, self.pairs)))[:SHOWN]


def load_words(path: Path) -> frozenset[str]:
    """The words in a file, a line each. Raises ModelFileError if it cannot be read."""
    try:
        return words(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise ModelFileError(f"{path}: the model's own words cannot be read ({error}); install Scribe again") from error


def words(text: str) -> frozenset[str]:
    """The words of a text, without capitals; "l'effort" is the word "effort", as in French an article melts into it."""
    found = (neighbours.ELIDED.sub("", word) for word in _WORD.findall(text))
    return frozenset(word.casefold() for word in found if len(word) >= SHORTEST)


def added(trajectory: Trajectory) -> frozenset[str]:
    """The words of a trajectory's answer that no source holds; those of lessons are what a model may add."""
    return words(trajectory.answer or "") - words("\n".join(_sources(trajectory)))


def _sources(trajectory: Trajectory) -> Iterable[str]:
    yield from (trajectory.task.report, trajectory.task.about, trajectory.task.question)
    for act in trajectory.acts:
        yield from (observation.content for observation in act.observations)


def _quoted(found: Iterable[str]) -> tuple[str, ...]:
    return tuple(f"“{defuse(each)}”" for each in found)


def _circles(answer: str) -> Iterable[str]:
    said = re.findall(r"\w+", answer.casefold())
    runs = Counter(tuple(said[at : at + RUN]) for at in range(len(said) - RUN + 1))
    worst = max(runs.items(), key=lambda each: each[1], default=((), 0))
    if worst[1] >= TIMES:
        yield f"“{defuse(' '.join(worst[0]))}” said {worst[1]} times"
