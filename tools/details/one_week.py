"""One week of one student: which behaviours mattered most, what they say, and what stands out beside them."""

import itertools
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from data.catalogue import Catalogue, Feature
from data.course import Course, Importance, Student
from data.standing import standing
from tools.arguments import no_data
from tools.class_view import MEASURABLE, ClassView
from tools.details.named_behaviours import named
from tools.details.own_value import OwnValue
from tools.phrases import Phrases

MOST = 4
WITHOUT_INFLUENCE = 3
ASKED_AT_MOST = 2
CLEARLY = 0.7
"""Share of the class to be better (or worse) than, to call it a strength (or a weakness)."""


@dataclass(frozen=True, slots=True)
class OneWeek:
    """One week of one student, beside the class."""

    course: Course
    student: Student
    catalogue: Catalogue
    week: int
    say: Phrases
    asked: str = ""

    def told(self) -> dict[str, Any]:
        """What went wrong and well, beginning with the behaviours that were asked about, and what to do."""
        mattered = self.mattered()
        if not mattered:
            return self._nothing_to_tell(bool(self._measured()))
        features = [self.catalogue.by_name(one.feature) for one in mattered]
        # What mattered is a strength of one who passes and a weakness of one who fails: give the other side.
        strong = mattered[0].flips_to == "fail"
        beside = self._standing_out(not strong, {feature.name for feature in features})
        told: dict[str, Any] = {"week": self.week, "first": features[0].label}
        told |= self._strong(features, mattered[0], beside) if strong else self._weak(features, mattered[0], beside)
        if features[2:MOST]:
            told["then"] = [self.compared(feature) for feature in features[2:MOST]]
        # Where the marks say something else than the outlook, one without the other would mislead.
        pace = self.say.pace(standing(self.course, self.student), self.student)
        asked = self.own_values()
        told["went_wrong"] = " ".join([*asked, told["went_wrong"], *pace])
        told["went_well"] = " ".join([*asked, told["went_well"]])
        named = {feature.name for feature in (*features, *([beside] if beside else []))}
        without = itertools.islice(self._without_influence(named), WITHOUT_INFLUENCE)
        return told | {"no_measurable_influence": [one.label for one in without]}

    def mattered(self) -> list[Importance]:
        """What had influence and makes sense to tell, the heaviest first."""
        return sorted((one for one in self._measured() if self._makes_sense(one)), key=lambda one: -one.importance)

    def _measured(self) -> list[Importance]:
        return [one for one in self.student.in_week(self.week) if one.importance >= MEASURABLE]

    def own_values(self) -> list[str]:
        """A sentence on the student's own values of the behaviours that the question names; none if it names none."""
        own = OwnValue(self.course, self.student, self.say)
        found = named(self.asked, self.catalogue, self.say.language, lambda one: own.has(one, self.week))
        features = [each.feature for each in found[:ASKED_AT_MOST]]
        return [own.told(features, self.week, influence=True)] if features else []

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
        say = self.say
        good = [say("weeks.best", week=self.week, compared=self.compared(features[0]))]
        good += [say("weeks.also_good", compared=self.compared(feature)) for feature in features[1:2]]
        limit = self._limit(features[0], first)
        side = ("keep_below" if limit else "keep_low") if features[0].good == "less" else None
        side = side or ("keep_above" if limit else "keep_up")
        keep = say(f"weeks.{side}", label=features[0].label, the=features[0].the, limit=limit)
        wrong = say("weeks.went_well", week=self.week, behind=self._behind(beside))
        return {"went_wrong": wrong, "went_well": " ".join([*good, keep]), "do": keep}

    def _weak(self, features: Sequence[Feature], first: Importance, beside: Feature | None) -> dict[str, str]:
        """Both sides of a week whose behaviour spoke against passing."""
        say = self.say
        wrong = [say("weeks.worst", week=self.week, compared=self.compared(features[0]))]
        wrong += [say("weeks.next", compared=self.compared(feature)) for feature in features[1:2]]
        advice = self.catalogue.dimension(features[0].dimension).advice if features[0].dimension else ""
        do = f"{self._change(features[0], first)} {advice}".rstrip()
        return {"went_wrong": " ".join(wrong), "went_well": self.ahead(beside), "do": do}

    def _change(self, feature: Feature, one: Importance) -> str:
        """What to do about a behaviour, and how far, if that can be told."""
        limit = self._limit(feature, one)
        key = f"weeks.{'raise' if one.direction == 'increase' else 'lower'}{'_to' if limit else ''}"
        verbs = {"raising": feature.raising, "lowering": feature.lowering}
        return self.say(key, label=feature.label, the=feature.the, limit=limit, **verbs)

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
        # No French sentence takes "au-dessus de moins de 1 pour cent".
        return "" if shown == feature.shown(own) or shown.startswith("moins ") else shown

    def ahead(self, beside: Feature | None) -> str:
        """In what the student was ahead of the class, or that there is nothing."""
        if beside is None:
            return self.say("weeks.not_ahead" if self.comparable() else "weeks.not_compared_in", week=self.week)
        key = "weeks.ahead_less" if beside.good == "less" else "weeks.ahead"
        return self.say(key, week=self.week, compared=self.compared(beside))

    def _behind(self, beside: Feature | None) -> str:
        """In what the student was behind the class, or that there is nothing."""
        if beside is None:
            return self.say("weeks.not_behind" if self.comparable() else "weeks.not_compared")
        return self.say("weeks.behind", compared=self.compared(beside))

    def comparable(self) -> bool:
        """Whether there is anything to compare: a class of some size, and a value of this student."""
        seen = ClassView(self.course)
        return any(seen.rank(self.student, feature.name, self.week) is not None for feature in self.catalogue)

    def _standing_out(self, good: bool, leave_out: Collection[str] = ()) -> Feature | None:
        """The behaviour in which the student is most clearly better (or worse) than most, if any."""
        ranked = self.ranked(good, leave_out)
        return ranked[1] if ranked else None

    def ranked(self, good: bool, leave_out: Collection[str] = ()) -> tuple[float, Feature] | None:
        """The same, with the share of the class (0 to 1) that the student is ahead of (or behind)."""
        found: list[tuple[float, Feature]] = []
        for feature in self.catalogue:
            rank = ClassView(self.course).rank(self.student, feature.name, self.week)
            if rank is None or feature.good == "depends" or feature.name in leave_out:
                continue
            ahead = rank if (feature.good == "more") == good else 1.0 - rank
            if ahead >= CLEARLY and self._own(feature) != self._of_class(feature):
                found.append((ahead, feature))
        return max(found, key=lambda pair: pair[0]) if found else None

    def _nothing_to_tell(self, mattered: bool) -> dict[str, Any]:
        others = sorted({one.week for one in self.student.importances if one.importance >= MEASURABLE} - {self.week})
        instead = self.say("weeks.ask", weeks=self.say.weeks(others)) if others else self.say("weeks.ask_grade")
        if not any(week == self.week for _, week in self.student.features):
            return no_data(self.say("weeks.no_activity", week=self.week), instead)
        told = {"week": self.week, "no_data": " ".join([*self.own_values(), self._why_nothing(mattered)])}
        if self.comparable():
            told["went_wrong"] = self._behind(self._standing_out(False))
            told["went_well"] = self.ahead(self._standing_out(True))
        return told | {"try": instead}

    def _why_nothing(self, mattered: bool) -> str:
        if not self.student.explained:
            return self.say("weeks.unexplained", week=self.week)
        return self.say("weeks.no_change" if mattered else "weeks.no_influence", week=self.week)

    def compared(self, feature: Feature) -> str:
        """A behaviour with the student's value and the class's."""
        key = "weeks.compared" if self._has(feature) else "weeks.compared_unknown"
        own, usual = self._own(feature), self._of_class(feature)
        return self.say(key, label=feature.label, the=feature.the, own=own, usual=usual)

    def _has(self, feature: Feature) -> bool:
        return (feature.name, self.week) in self.student.features

    def _own(self, feature: Feature) -> str:
        raw = self.student.features.get((feature.name, self.week))
        return self.say("weeks.no_value") if raw is None else feature.shown(raw)

    def _of_class(self, feature: Feature) -> str:
        raw = ClassView(self.course).median(feature.name, self.week)
        return self.say("weeks.no_median") if raw is None else feature.shown(raw)
