"""The prompt by which a language model writes one report's questions of one category, and reading what it wrote."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from finetune.questions.source import Wanted
from scribe.trajectory import Exchange
from tools import task

_NUMBERED = re.compile(r"^\s*(?:[-*•]\s*)?(?:\d{1,3}\s*[.):]|[-*•])\s*(.+?)\s*$")
_LABEL = re.compile(r"^\(?(?:short|medium|long|court|moyen|long)\)?\s*[:–-]\s*", re.IGNORECASE)
_QUOTES = {"“": "”", '"': '"', "«": "»", "*": "*", "‘": "’", "`": "`"}


@dataclass(frozen=True, slots=True)
class Written:
    """What a reply held: the questions, and how many lines that were none."""

    questions: tuple[str, ...]
    strange: int


def prompt(
    wanted: Wanted, samples: Sequence[str], lengths: Mapping[str, float], before: Exchange | None = None
) -> list[dict[str, str]]:
    """The messages. samples: real questions, for the tone. lengths: weights by class. before: what to go on from."""
    said, course = _texts(), wanted.course
    persona = said["persona"].format(course=course.title, about=task.about(course), report=wanted.report)
    shown = said["samples"].format(lines="\n".join(f"- {line}" for line in samples)) if samples else ""
    if before:
        shown += said["follow_up"].format(question=before.question, answer=before.answer)
    asked = said["task"].format(
        count=wanted.count,
        after=wanted.category.after,
        language=said["languages"].get(course.language, course.language),
        samples=shown,
        **_counts(lengths, wanted.count),
    )
    return [{"role": "system", "content": persona.strip()}, {"role": "user", "content": asked.strip()}]


def read(reply: str, cut_off: bool = False) -> Written:
    """The questions of a reply, numbers, bullets, labels and quotation marks taken off.

    Other lines, such as an introduction, are counted and left out; so is the last line of a reply that was cut off.
    """
    lines = [line for line in reply.splitlines() if line.strip()]
    whole = lines[:-1] if cut_off else lines
    found = [match.group(1) for line in whole if (match := _NUMBERED.match(line))]
    questions = [text for each in found if (text := _bare(each))]
    return Written(tuple(questions), len(lines) - len(questions))


def _bare(text: str) -> str:
    before = ""
    while text != before:
        before = text
        text = _LABEL.sub("", text.strip())
        if len(text) > 1 and _QUOTES.get(text[0]) == text[-1]:
            text = text[1:-1]
    return text.strip()


def _counts(lengths: Mapping[str, float], count: int) -> dict[str, int]:
    """How many of each class, rounded so that the sum is the count."""
    shares = {name: lengths.get(name, 0.0) / sum(lengths.values()) * count for name in ("short", "medium", "long")}
    counts = {name: int(share) for name, share in shares.items()}
    rest = sorted(shares, key=lambda name: counts[name] - shares[name])
    for name in rest[: count - sum(counts.values())]:
        counts[name] += 1
    return counts


@cache
def _texts() -> dict[str, Any]:
    return tomllib.loads(files(__package__).joinpath("persona.toml").read_text(encoding="utf-8"))
