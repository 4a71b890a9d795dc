"""An explanation: the changes that would flip a prediction, and what is enough for it to stay."""

from dataclasses import dataclass

from data.course import Direction, Outcome


@dataclass(frozen=True, slots=True)
class Change:
    """One feature of one week, changed by `change` deviations of the cohort (never 0) to the raw value `target`."""

    week: int
    feature: str
    change: float
    target: float

    @property
    def importance(self) -> float:
        """The size of the change, to three decimals so that it can be read."""
        return round(abs(self.change), 3)

    @property
    def direction(self) -> Direction:
        """Which way the change goes."""
        return "increase" if self.change > 0.0 else "decrease"


@dataclass(frozen=True, slots=True)
class Explanation:
    """Of one student's prediction, which `changes` (the largest first) together flip to `flips_to`.

    No changes: none was found within what the cohort shows. `sufficient` holds (feature, week) that keep the
    prediction even if all else were as is usual in the class; empty when the usual is enough by itself, or
    usual values in the weeks that a student was active.
    """

    flips_to: Outcome
    changes: tuple[Change, ...]
    sufficient: tuple[tuple[str, int], ...]
