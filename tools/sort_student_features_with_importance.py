"""Which of the student's behaviours of one week mattered most, and what they say."""

import itertools
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from data.catalogue import Catalogue, Feature
from data.course import Course, Importance, Student
from data.standing import standing
from scribe.tool import Tool
from tools.arguments import no_data, week_bounds, week_of
from tools.class_view import MEASURABLE, ClassView
from tools.wording import pace, weeks

MOST = 4
WITHOUT_INFLUENCE = 3
CLEARLY = 0.7
"""Share of the class to be better (or worse) than, to call it a strength (or a weakness)."""


def make(course: Course, student: Student, catalogue: Catalogue) -> Tool:
    """The tool for this student."""

    def sort_student_features_with_importance(
        week: Annotated[int, week_bounds(course)],
    ) -> dict[str, Any]:
        """Your behaviours that mattered most in a week, compared with the class, and what to change."""
        week_of(course, week)
        if week > course.weeks_done:
            done = f"weeks 1 to {course.weeks_done}" if course.weeks_done > 1 else "week 1"
            return no_data(f"Week {week} is not recorded yet, only {done}.", f"Ask about {done}.")
        return _Look(course, student, catalogue, week).told()

    return Tool.of(sort_student_features_with_importance)


@dataclass(frozen=True, slots=True)
class _Look:
    """One week of one student, beside the class."""

    course: Course
    student: Student
    catalogue: Catalogue
    week: int

    def told(self) -> dict[str, Any]:
        measured = [one for one in self.student.in_week(self.week) if one.importance >= MEASURABLE]
        mattered = sorted((one for one in measured if self._makes_sense(one)), key=lambda one: -one.importance)
        if not mattered:
            return self._nothing_to_tell(bool(measured))
        features = [self.catalogue.by_name(one.feature) for one in mattered]
        # What mattered is a strength of one who passes and a weakness of one who fails: give the other side.
        strong = mattered[0].flips_to == "fail"
        beside = self._standing_out(not strong, {feature.name for feature in features})
        told: dict[str, Any] = {"week": self.week, "first": features[0].label}
        told |= self._strong(features, mattered[0], beside) if strong else self._weak(features, mattered[0], beside)
        if features[2:MOST]:
            told["then"] = [self._compared(feature) for feature in features[2:MOST]]
        # Where the marks say something else than the outlook, one without the other would mislead.
        told["went_wrong"] = " ".join([told["went_wrong"], *pace(standing(self.course, self.student), self.student)])
        named = {feature.name for feature in (*features, *([beside] if beside else []))}
        without = itertools.islice(self._without_influence(named), WITHOUT_INFLUENCE)
        return told | {"no_measurable_influence": [one.label for one in without]}

    def _without_influence(self, named: Collection[str]) -> Iterator[Feature]:
        """Behaviours that the prediction reads, and that neither had influence this week nor resemble one that had."""
        seen = ClassView(self.course)
        read = seen.weighing()
        moved = [one.feature for one in self.student.in_week(self.week) if one.importance >= MEASURABLE]
        for one in self.catalogue:
            asked = one.name in read and one.name not in named and self._has(one)
            if asked and not any(seen.alike(one.name, other, self.week) for other in moved):
                yield one

    def _makes_sense(self, one: Importance) -> bool:
        """Whether the change is one to advise (or to warn of), and the value lies on its side of the class.

        A model may also find "fewer sessions and you pass": that is not what a student should read.
        """
        feature = self.catalogue.by_name(one.feature)
        raises = one.direction == "increase"
        if feature.good == "depends" or raises != ((feature.good == "more") == (one.flips_to == "pass")):
            return False
        own = self.student.features.get((one.feature, self.week))
        usual = ClassView(self.course).median(one.feature, self.week)
        return own is None or usual is None or (own < usual if raises else own > usual)

    def _strong(self, features: Sequence[Feature], first: Importance, beside: Feature | None) -> dict[str, str]:
        """Both sides of a week whose behaviour spoke for passing."""
        good = [f"In week {self.week} what mattered most went well: {self._compared(features[0])}."]
        good += [f"Also good was {self._compared(feature)}." for feature in features[1:2]]
        label = features[0].label
        limit = self._limit(features[0], first)
        if features[0].good == "less":
            keep = f"Keep your {label} low{limit and f', well below {limit}'}."
        else:
            keep = f"Keep up your {label}{limit and f', well above {limit}'}."
        wrong = f"Week {self.week} went well. {self._behind(beside)}"
        return {"went_wrong": wrong, "went_well": " ".join([*good, keep]), "do": keep}

    def _weak(self, features: Sequence[Feature], first: Importance, beside: Feature | None) -> dict[str, str]:
        """Both sides of a week whose behaviour spoke against passing."""
        wrong = [f"In week {self.week} what held you back most was {self._compared(features[0])}."]
        wrong += [f"Next came {self._compared(feature)}." for feature in features[1:2]]
        change = "raise" if first.direction == "increase" else "lower"
        advice = self.catalogue.dimension(features[0].dimension).advice if features[0].dimension else ""
        limit = self._limit(features[0], first)
        do = f"So {change} your {features[0].label} first{limit and f', to about {limit}'}. {advice}".rstrip()
        return {"went_wrong": " ".join(wrong), "went_well": self._ahead(beside), "do": do}

    def _limit(self, feature: Feature, one: Importance) -> str:
        """Where, with the other changes, the prediction would turn, if that lies on this side of the class's median.

        Beyond it the median, which has been told, is the kinder thing to aim at. Empty too if it reads like the
        present value.
        """
        own = self.student.features.get((feature.name, self.week))
        usual = ClassView(self.course).median(feature.name, self.week)
        if own is None or usual is None or not min(own, usual) <= one.target <= max(own, usual):
            return ""
        shown = feature.shown(one.target)
        return "" if shown == feature.shown(own) else shown

    def _ahead(self, beside: Feature | None) -> str:
        if beside is None:
            return f"In week {self.week} {self._unremarkable('better')}"
        return f"In week {self.week} you were ahead of the class in {self._compared(beside)}. Keep this habit."

    def _behind(self, beside: Feature | None) -> str:
        if beside is None:
            return self._unremarkable("weaker").capitalize()
        return f"You were behind the class in {self._compared(beside)}."

    def _unremarkable(self, side: str) -> str:
        if not self._comparable():
            return "there is no comparison with the class."
        return f"no behaviour stands out as {side} than in the class."

    def _comparable(self) -> bool:
        """Whether there is anything to compare: a class of some size, and a value of this student."""
        seen = ClassView(self.course)
        return any(seen.rank(self.student, feature.name, self.week) is not None for feature in self.catalogue)

    def _standing_out(self, good: bool, leave_out: Collection[str] = ()) -> Feature | None:
        """The behaviour in which the student is most clearly better (or worse) than most, if any."""
        found: list[tuple[float, Feature]] = []
        for feature in self.catalogue:
            rank = ClassView(self.course).rank(self.student, feature.name, self.week)
            if rank is None or feature.good == "depends" or feature.name in leave_out:
                continue
            ahead = rank if (feature.good == "more") == good else 1.0 - rank
            if ahead >= CLEARLY and self._own(feature) != self._of_class(feature):
                found.append((ahead, feature))
        return max(found, key=lambda pair: pair[0])[1] if found else None

    def _nothing_to_tell(self, mattered: bool) -> dict[str, Any]:
        others = sorted({one.week for one in self.student.importances if one.importance >= MEASURABLE} - {self.week})
        instead = f"Ask about {weeks(others)}." if others else "Ask about your grade instead."
        if not any(week == self.week for _, week in self.student.features):
            return no_data(f"No activity of yours was recorded in week {self.week}.", instead)
        told = {"week": self.week, "no_data": self._why_nothing(mattered)}
        if self._comparable():
            told["went_wrong"] = self._behind(self._standing_out(False))
            told["went_well"] = self._ahead(self._standing_out(True))
        return told | {"try": instead}

    def _why_nothing(self, mattered: bool) -> str:
        if not self.student.explained:
            return f"No change of behaviour was found that explains your result, in week {self.week} or any other."
        if mattered:
            return f"No behaviour of week {self.week} that had influence on your result calls for a change."
        return f"No behaviour of week {self.week} had a measurable influence on your result."

    def _compared(self, feature: Feature) -> str:
        return f"{feature.label} with {self._own(feature)} (class {self._of_class(feature)})"

    def _has(self, feature: Feature) -> bool:
        return (feature.name, self.week) in self.student.features

    def _own(self, feature: Feature) -> str:
        raw = self.student.features.get((feature.name, self.week))
        return "no data" if raw is None else feature.shown(raw)

    def _of_class(self, feature: Feature) -> str:
        raw = ClassView(self.course).median(feature.name, self.week)
        return "no data" if raw is None else feature.shown(raw)
