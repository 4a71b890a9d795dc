"""What there is to say about a student: feature-weeks that matter, with the class beside them.

An importance is a *clear* finding when the change it asks for (or warns of) is the one that the catalogue calls good
(or bad), and the student's value lies on the corresponding side of the class's median; else it would read as nonsense.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from data.catalogue import Feature, load_catalogue, spoken
from data.course import Course, Direction, Importance, Student
from data.reports.phrasebook import BehaviourWording, load_wordings

Side = Literal["below", "above", "same"]
LAST_WEEKS = 2  # How many of the concluded weeks count as recent
UNUSUAL, RARE = 0.75, 0.9
"""Shares of the class that a student has left behind, upwards or downwards, from which a place is worth a word."""


@dataclass(frozen=True, slots=True)
class FeatureFinding:
    """One feature-week of a student: raw values, shares of the class with lower and higher ones (0 to 1)."""

    week: int
    feature: Feature
    own: float
    typical: float
    share_below: float
    share_above: float
    change: Direction | None = None
    target: float | None = None
    clear: bool = False

    @property
    def side(self) -> Side:
        """Where the student stands beside the class, as far as the shown numbers tell."""
        if self.feature.shown(self.own) == self.feature.shown(self.typical):
            return "same"
        return "below" if self.own < self.typical else "above"

    @property
    def favourable(self) -> bool | None:
        """Whether that side goes along with passing; None when it depends or there is no side."""
        if self.side == "same" or self.feature.good == "depends":
            return None
        return (self.side == "above") == (self.feature.good == "more")

    @property
    def wording(self) -> BehaviourWording:
        """How this behaviour is spoken of."""
        return load_wordings()[self.feature.name]

    @property
    def extremity(self) -> float:
        """The share of the class that the student has left behind, upwards or downwards."""
        return max(self.share_below, self.share_above)

    def shown(self, raw: float) -> str:
        """A raw value of this behaviour with its unit."""
        return self.feature.shown(raw)

    def number(self, raw: float) -> str:
        """A raw value of this behaviour as a number without its unit."""
        return spoken(raw * self.feature.factor, self.feature.decimals)


@dataclass(frozen=True, slots=True)
class Findings:
    """What to speak of, clear by weight or else all that is unclear, and what alone is enough; different ones first."""

    ranked: tuple[FeatureFinding, ...]
    enough: tuple[FeatureFinding, ...]


def gather_findings(course: Course, student: Student) -> Findings:
    """The findings about one student. Missing values give no finding."""
    ranked = sorted(student.importances, key=lambda one: (-one.importance, one.week, one.feature))
    found = [each for one in ranked if (each := _judge_importance(course, student, one)) is not None]
    points = [_measure(course, student, one.feature, one.week) for one in student.sufficient]
    # What is a strength reads as no reason for a fail.
    fits = (None, student.predicted == "pass")
    enough = [each for each in points if each is not None and each.side != "same" and each.favourable in fits]
    ranked = [each for each in found if each.clear] or found
    return Findings(_put_different_first(ranked), _put_different_first(enough))


def _judge_importance(course: Course, student: Student, one: Importance) -> FeatureFinding | None:
    plain = _measure(course, student, one.feature, one.week)
    if plain is None:
        return None
    wished = plain.feature.good == "depends" or (
        # To fail, the value has to move away from what is good; to pass, towards it.
        (one.direction == "increase") == ((plain.feature.good == "more") == (one.flips_to == "pass"))
    )
    beside = plain.side == ("below" if one.direction == "increase" else "above")
    return replace(plain, change=one.direction, target=one.target, clear=wished and beside)


def _measure(course: Course, student: Student, name: str, week: int) -> FeatureFinding | None:
    """The student's value within the class; None for a missing one and for a feature without wording."""
    feature = load_catalogue().by_name(name)
    own, typical = student.features.get((name, week)), course.typical(name, week)
    if own is None or typical is None or name not in load_wordings():
        return None
    values = [one.features[name, week] for one in course.students.values() if (name, week) in one.features]
    below, above = sum(each < own for each in values), sum(each > own for each in values)
    return FeatureFinding(week, feature, own, typical, below / len(values), above / len(values))


def _put_different_first(found: Sequence[FeatureFinding]) -> tuple[FeatureFinding, ...]:
    """Different behaviours first, otherwise in their order."""
    first: dict[str, FeatureFinding] = {}
    for each in found:
        first.setdefault(each.feature.name, each)
    return (*first.values(), *(each for each in found if each not in first.values()))
