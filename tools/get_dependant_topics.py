"""What must be known before a week: the earlier topics that its topics build on."""

from typing import Annotated, Any

from data.course import Course, Prerequisite, Week
from scribe.tool import Tool
from tools.arguments import week_bounds, week_of
from tools.phrases import Phrases, phrases
from tools.reading.naming import place_in_list


def make(course: Course) -> Tool:
    """The tool for this course; it is the same for every student."""
    say = phrases(course.spoken)
    taught = {topic.casefold(): week.number for week in course.plan for topic in week.topics}

    def get_dependant_topics(week: Annotated[int, week_bounds(course)], asked: str = "") -> dict[str, Any]:
        """Earlier topics and weeks that a week builds on, to prepare for it or catch up."""
        plan = week_of(course, week)
        needs = _needs(course, plan, taught)
        if not needs:
            title = say.named(plan.title, plan.title_en)
            return {"week": week, "says": say("needs.nothing", week=week, title=title)}
        when, first = meant = _meant(course, needs, asked)
        needs = [meant, *(need for need in needs if need is not meant)]  # what is asked about comes first
        named = [_timed(course, say, edge.needs, number) for number, edge in needs]
        needed, topic = (say.named(name, course.english(name)) for name in (first.needs, first.topic))
        why = first.why if say.language == course.language else first.why_en or first.why
        return {
            "week": week,
            "first": first.needs,
            "says": say("needs.says", week=week, topics=say.listed(named)),
            "why": say("needs.why", needed=needed, topic=topic, why=why),
            "review": say("needs.review", topic=say.named(first.needs), week=when),
        }

    return Tool.of(get_dependant_topics)


def _meant(course: Course, needs: list[tuple[int, Prerequisite]], asked: str) -> tuple[int, Prerequisite]:
    """The need that the question names, or points at by its place in the list; else the first."""
    said = asked.casefold()
    for when, edge in needs:
        names = filter(None, (edge.needs, course.english(edge.needs)))
        if any(name.casefold() in said for name in names):
            return when, edge
    place = place_in_list(asked)
    return needs[place] if place is not None and place < len(needs) else needs[0]


def _timed(course: Course, say: Phrases, topic: str, week: int) -> str:
    english = course.english(topic)
    key = "needs.timed_glossed" if english else "needs.timed"
    return say(key, topic=say.named(topic), english=english, week=week)


def _needs(course: Course, plan: Week, taught: dict[str, int]) -> list[tuple[int, Prerequisite]]:
    """The week of each needed topic and why it is needed, earliest first, each topic once."""
    topics = {topic.casefold() for topic in plan.topics}
    found: dict[str, tuple[int, Prerequisite]] = {}
    for edge in course.prerequisites:
        when = taught[edge.needs.casefold()]
        if edge.topic.casefold() in topics and when < plan.number:
            found.setdefault(edge.needs.casefold(), (when, edge))
    return sorted(found.values(), key=lambda need: need[0])
