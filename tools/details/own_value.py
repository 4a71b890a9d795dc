"""A student's own values of single behaviours beside the class's, in one sentence."""

from collections.abc import Sequence
from dataclasses import dataclass

from data.catalogue import Feature
from data.course import Course, Student
from tools.class_view import MEASURABLE, ClassView
from tools.phrases import Phrases

MOST_OF_THEM = 0.65
"""Share of the class to be above (or below), to be told as more (or less) than most of it."""


@dataclass(frozen=True, slots=True)
class OwnValue:
    """One student beside the class."""

    course: Course
    student: Student
    say: Phrases

    def told(self, features: Sequence[Feature], week: int, influence: bool = False) -> str:
        """A sentence on features that have a value in the week; `influence`: also whether they mattered in it."""
        parts = [self._part(feature, week, influence) for feature in features]
        return self.say("own.says", week=week, parts=self.say("own.and").join(parts))

    def has(self, feature: Feature, week: int) -> bool:
        """Whether there is a value to tell."""
        return (feature.name, week) in self.student.features

    def latest(self, feature: Feature) -> int | None:
        """The latest recorded week with a value."""
        weeks = range(self.course.weeks_done, 0, -1)
        return next((week for week in weeks if self.has(feature, week)), None)

    def most_telling(self, features: Sequence[Feature]) -> Feature | None:
        """The feature with a value that had most influence on the class, one with a better side before others."""
        moved = ClassView(self.course).times_influenced()
        told = [feature for feature in features if self.latest(feature) is not None]
        return max(told, key=lambda feature: (feature.good != "depends", moved[feature.name]), default=None)

    def _part(self, feature: Feature, week: int, influence: bool) -> str:
        own, usual = feature.shown(self.student.features[feature.name, week]), self._usual(feature, week)
        beside, moved = self._beside(feature, week), self._influence(feature, week) if influence else ""
        ends = [self.say(f"own.{end}") for end in (beside, moved) if end]
        return self.say("own.part", label=feature.label, the=feature.the, own=own, usual=usual) + "".join(ends)

    def _usual(self, feature: Feature, week: int) -> str:
        median = ClassView(self.course).median(feature.name, week)
        return self.say("weeks.no_median") if median is None else feature.shown(median)

    def _beside(self, feature: Feature, week: int) -> str:
        """Better, worse or like most of the class; more or less where neither is better; empty if unknown."""
        rank = ClassView(self.course).rank(self.student, feature.name, week)
        if rank is None:
            return ""
        if feature.shown(self.student.features[feature.name, week]) == self._usual(feature, week):
            return "alike"  # most may have the same value, as none at all
        if 1.0 - MOST_OF_THEM < rank < MOST_OF_THEM:
            return "alike"
        above = rank >= MOST_OF_THEM
        if feature.good == "depends":
            return "more" if above else "fewer"
        return "better" if above == (feature.good == "more") else "worse"

    def _influence(self, feature: Feature, week: int) -> str:
        """Whether it mattered; empty where that is unknown, as when it rises and falls with one that mattered."""
        seen = ClassView(self.course)
        moved = [one.feature for one in self.student.in_week(week) if one.importance >= MEASURABLE]
        if feature.name in moved:
            return "mattered"
        known = self.student.explained and feature.name in seen.weighing()
        return "unmoved" if known and not any(seen.alike(feature.name, each, week) for each in moved) else ""
