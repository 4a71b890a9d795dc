"""All recorded weeks of one student: which one weighed most, and what stands out beside it over all of them."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

from data.catalogue import Feature
from data.standing import standing
from tools.arguments import no_data
from tools.details.one_week import OneWeek

Seen = tuple[OneWeek, Feature]
"""A behaviour in the week in which it stands out."""


@dataclass(frozen=True, slots=True)
class AllWeeks:
    """The recorded weeks in their order; at least one."""

    weeks: Sequence[OneWeek]

    def told(self) -> dict[str, Any]:
        """As for one week, of the one whose heaviest behaviour weighs most; the other side from all weeks."""
        weighed = [(mattered[0], week) for week in self.weeks if (mattered := week.mattered())]
        if not weighed:
            return self._nothing_to_tell()
        first, heaviest = max(weighed, key=lambda pair: pair[0].importance)
        strong, asked, say = first.flips_to == "fail", heaviest.own_values(), heaviest.say
        core = replace(heaviest, asked="").told()
        # What mattered anywhere is not called its opposite elsewhere.
        other = self._most(not strong, {one.feature for week in self.weeks for one in week.mattered()})
        main, aside = ("went_well", "went_wrong") if strong else ("went_wrong", "went_well")
        core[main] = " ".join([*asked, say("weeks.heaviest", week=heaviest.week), core[main]])
        core[aside] = " ".join([*asked, *(self._weaker(other) if strong else [self._ahead(other)])])
        if other:
            without = core["no_measurable_influence"]
            core["no_measurable_influence"] = [label for label in without if label != other[1].label]
        return core

    def _weaker(self, other: Seen | None) -> list[str]:
        """What is to be said of weaknesses to one who is on the way to pass."""
        last = self.weeks[-1]
        pace = last.say.pace(standing(last.course, last.student), last.student)
        return [last.say("weeks.all_well"), self._behind(other), *pace]

    def _nothing_to_tell(self) -> dict[str, Any]:
        last = self.weeks[-1]
        if not last.student.features:
            return no_data(last.say("weeks.no_activity_all"), last.say("weeks.ask_grade"))
        worst = self._most(good=False)
        best = self._most(good=True, leave_out={worst[1].name} if worst else ())
        said = " ".join([*last.own_values(), last.say("weeks.unexplained_all")])
        found = no_data(said, last.say("weeks.ask_grade"))
        return found | {"went_wrong": self._behind(worst), "went_well": self._ahead(best)}

    def _behind(self, found: Seen | None) -> str:
        if found is None:
            return self._none("weeks.not_behind_all")
        week, feature = found
        return week.say("weeks.behind_in", week=week.week, compared=week.compared(feature))

    def _ahead(self, found: Seen | None) -> str:
        if found is None:
            return self._none("weeks.not_ahead_all")
        week, feature = found
        return week.ahead(feature)

    def _none(self, key: str) -> str:
        """That nothing stands out, or that nothing can be compared."""
        comparable = any(week.comparable() for week in self.weeks)
        return self.weeks[-1].say(key if comparable else "weeks.not_compared")

    def _most(self, good: bool, leave_out: Collection[str] = ()) -> Seen | None:
        """The week and the behaviour in which the student is most clearly ahead of (or behind) the class, if any."""
        ranked = [(found, week) for week in self.weeks if (found := week.ranked(good, leave_out))]
        if not ranked:
            return None
        (_, feature), week = max(ranked, key=lambda pair: pair[0][0])
        return week, feature
