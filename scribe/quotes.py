"""Lines that a model copies before it answers: the beginning of its reasoning, each behind a mark.

To copy a line is easier for a small model than to say what it means. The grammar lets a model of this process quote
nothing but what stands there; the quotes of any other are checked to the letter. A student can be shown them.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from scribe.messages import defuse
from scribe.outline import outline
from scribe.trajectory import Trajectory

MARK = "> "
REMINDER = "reminder: "
"""How the line begins that a repeated call's result has beside what the tool said."""
LONG = 220
"""Characters from which a line is quoted by the sentence."""

_SENTENCE = re.compile(r"(?<=[.!?…])\s+(?=\S)")


@dataclass(frozen=True, slots=True)
class QuotableLine:
    """What may be quoted, as the model reads it. source: 0 for the report, then the results as they came."""

    source: int
    place: int
    text: str


def quotable(trajectory: Trajectory) -> tuple[QuotableLine, ...]:
    """The lines of the report and of every result, long ones by the sentence."""
    return tuple(
        QuotableLine(source, place, piece)
        for source, lines in enumerate(_sources(trajectory))
        for place, piece in enumerate(_pieces(lines))
    )


def with_quotes(quotes: Sequence[str], thought: str) -> str:
    """A thought that begins with these lines."""
    return "\n".join([*(f"{MARK}{quote}" for quote in quotes), thought]).strip()


def read_quotes(thought: str) -> tuple[tuple[str, ...], str]:
    """The lines that a thought quotes, and what else it says."""
    lines = thought.strip().splitlines()
    quotes = tuple(line.removeprefix(MARK).strip() for line in lines if line.startswith(MARK))
    return quotes, "\n".join(line for line in lines if not line.startswith(MARK)).strip()


def find_misquoted(trajectory: Trajectory, thought: str) -> tuple[str, ...]:
    """The quotes of a thought that stand in no source so, white space apart."""
    said = "\n".join(" ".join(line.split()) for lines in _sources(trajectory) for line in lines)
    return tuple(quote for quote in read_quotes(thought)[0] if " ".join(quote.split()) not in said)


def _sources(trajectory: Trajectory) -> Iterator[list[str]]:
    """The lines of the report and of every result, but for the reminder that a call was made before."""
    seen = (observation for act in trajectory.acts for observation in act.observations if observation.ok)
    for text in (trajectory.task.report, *(outline(observation.content) for observation in seen)):
        yield [line for line in defuse(text).splitlines() if not line.startswith(REMINDER)]


def _pieces(lines: Sequence[str]) -> Iterator[str]:
    for line in filter(None, map(str.strip, lines)):
        yield from _SENTENCE.split(line) if len(line) > LONG else [line]
