"""What steps took, as a table: which part of them, by whether they searched."""

import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from eval.bench.stopwatch import Step
from eval.bench.table import count

GROUPS: dict[str, Callable[[Step], bool]] = {
    "without search": lambda step: not step.searched,
    "of these, calls": lambda step: not step.searched and step.kind == "act",
    "answers and faults": lambda step: not step.searched and step.kind != "act",
    "with search": lambda step: step.searched,
}
GOALS = {"without search": "3", "of these, calls": "", "answers and faults": "", "with search": "25"}
"""Milliseconds that the loop may take in the median."""
PARTS = {
    "prompt": "– prompt's text*",
    "parsing": "– reading the turn",
    "tools": "– tools",
    "embedding": "– – of these: the embedder",
    "grounding": "– check of the answer",
    "tokens": "prompt's tokens*",
    "screen": "sentences for the screen, while the model writes",
    "evaluating": "llama.cpp",
}


@dataclass(frozen=True, slots=True)
class Found:
    """All steps that count."""

    steps: tuple[Step, ...]

    def numbers(self) -> dict[str, Any]:
        """Milliseconds: median and 95th percentile, of each group of steps."""
        return {name: _numbers([s for s in self.steps if of(s)]) for name, of in GROUPS.items()}

    def rows(self) -> list[list[str]]:
        """A row for each part, a column for each group, and the goals."""
        numbers = self.numbers()
        sides = [numbers[name] for name in GROUPS]
        parts = {"loop": "the loop", **PARTS, "but evaluating": "all but evaluating", "step": "the whole step"}
        spreads = [[words, *(cell(side[part]) for side in sides)] for part, words in parts.items()]
        return [["steps", *(count(side["steps"]) for side in sides)], *spreads, ["goal for the loop", *GOALS.values()]]


def _numbers(steps: Sequence[Step]) -> dict[str, Any]:
    parts = {part: _spread([step.seconds.get(part, 0.0) for step in steps]) for part in (*PARTS, "step")}
    whole = {"loop": [step.loop for step in steps], "but evaluating": [step.but_evaluating for step in steps]}
    return {"steps": len(steps), **parts, **{name: _spread(seconds) for name, seconds in whole.items()}}


def _spread(seconds: Sequence[float]) -> tuple[float, float] | None:
    """Median and 95th percentile in milliseconds; None if there are no seconds."""
    if not seconds:
        return None
    high = sorted(seconds)[int(0.95 * (len(seconds) - 1))]
    return round(1000 * statistics.median(seconds), 3), round(1000 * high, 3)


def cell(spread: tuple[float, float] | None) -> str:
    """Median, and the 95th percentile in brackets."""
    return f"{spread[0]:.2f} ({spread[1]:.2f})" if spread else "–"
