"""What must be known before a week: the earlier topics that its topics build on."""

from typing import Annotated, Any

from data.course import Course, Prerequisite, Week
from scribe.tool import Tool
from tools.arguments import week_bounds, week_of
from tools.wording import glossed, listed


def make(course: Course) -> Tool:
    """The tool for this course; it is the same for every student."""
    taught = {topic.casefold(): week.number for week in course.plan for topic in week.topics}

    def get_dependant_topics(week: Annotated[int, week_bounds(course)]) -> dict[str, Any]:
        """Earlier topics and weeks that a week builds on, to prepare for it or catch up."""
        plan = week_of(course, week)
        needs = _needs(course, plan, taught)
        if not needs:
            title = glossed(plan.title, plan.title_en)
            nothing = f"Week {week}, {title}, needs nothing from earlier weeks."
            return {"week": week, "says": f"{nothing} You can start with it right away."}
        when, first = needs[0]
        named = [_timed(course, edge.needs, number) for number, edge in needs]
        needed, topic = (glossed(name, course.english(name)) for name in (first.needs, first.topic))
        return {
            "week": week,
            "first": first.needs,
            "says": f"Before week {week} you should know {listed(named)}.",
            "why": f"{needed} is needed for {topic}, because {first.why_en or first.why}.",
            "review": f"So review {first.needs} in week {when} first.",
        }

    return Tool.of(get_dependant_topics)


def _timed(course: Course, topic: str, week: int) -> str:
    english = course.english(topic)
    return f"{topic} ({english}, week {week})" if english else f"{topic} (week {week})"


def _needs(course: Course, plan: Week, taught: dict[str, int]) -> list[tuple[int, Prerequisite]]:
    """The week of each needed topic and why it is needed, earliest first, each topic once."""
    topics = {topic.casefold() for topic in plan.topics}
    found: dict[str, tuple[int, Prerequisite]] = {}
    for edge in course.prerequisites:
        when = taught[edge.needs.casefold()]
        if edge.topic.casefold() in topics and when < plan.number:
            found.setdefault(edge.needs.casefold(), (when, edge))
    return sorted(found.values(), key=lambda need: need[0])
