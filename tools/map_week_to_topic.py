"""What is taught in a week, and what graded work it has where that is asked."""

from typing import Annotated, Any

from data.course import Course, GradedItem
from scribe.tool import Tool
from tools.arguments import week_bounds, week_of
from tools.details import graded_work
from tools.phrases import Phrases, phrases


def make(course: Course) -> Tool:
    """The tool for this course; it is the same for every student."""
    say = phrases(course.spoken)

    def map_week_to_topic(week: Annotated[int, week_bounds(course)], asked: str = "") -> dict[str, Any]:
        """Title, topics and number of quizzes of a week, to say what it is about."""
        plan = week_of(course, week)
        key = f"topics.quiz_{plan.quizzes}" if plan.quizzes < 2 else "topics.quizzes"
        quizzes = say(key, number=plan.quizzes)
        named = [say.named(topic, course.english(topic)) for topic in plan.topics]
        title = say.named(plan.title, plan.title_en)
        says = say("topics.says", week=week, title=title, topics=say.listed(named), quizzes=quizzes)
        return {
            "week": week,
            "title": title,
            "says": f"{_graded(course, say, week, asked)} {says}".strip(),
            "start": say("topics.start", topic=named[0]),
        }

    return Tool.of(map_week_to_topic)


def _graded(course: Course, say: Phrases, week: int, asked: str) -> str:
    """What graded work of the kind that is asked about there is in the week, or that there is none and what is next."""
    kinds = graded_work.sought(asked, course.grading)
    if not kinds:
        return ""
    items = [item for item in course.grading if graded_work.kind(item) in kinds]
    here = [_counting(say, item) for item in items if item.week == week]
    if here:
        return say("topics.graded", week=week, items=say.listed(here))
    about = "exam" if set(kinds) <= set(graded_work.EXAMS) else "homework" if kinds == ("homework",) else "work"
    later = sorted((item for item in items if item.week > week), key=lambda item: item.week)
    nothing = say(f"topics.no_{about}", week=week)
    return f"{nothing} {say('topics.next', item=_counting(say, later[0]), week=later[0].week)}" if later else nothing


def _counting(say: Phrases, item: GradedItem) -> str:
    return say("topics.item", title=say.named(item.title), weight=say.percent(item.weight))
