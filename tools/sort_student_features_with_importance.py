"""Which of the student's behaviours of one week, or of all, mattered most, and what they say."""

from typing import Annotated, Any

from data.catalogue import Catalogue
from data.course import Course, Student
from scribe.tool import Tool
from tools.arguments import no_data, week_bounds, week_of
from tools.details.all_weeks import AllWeeks
from tools.details.one_week import OneWeek
from tools.phrases import phrases
from tools.wording import unquoted


def make(course: Course, student: Student, catalogue: Catalogue) -> Tool:
    """The tool for this student. The catalogue is in the course's language."""
    say = phrases(course.spoken)

    def look(week: int, asked: str) -> OneWeek:
        return OneWeek(course, student, catalogue, week, say, unquoted(asked))

    def sort_student_features_with_importance(
        week: Annotated[int | None, week_bounds(course)] = None, asked: str = ""
    ) -> dict[str, Any]:
        """Your behaviours that mattered most, in a week or all, compared with the class, and what to change."""
        recorded = range(1, course.weeks_done + 1)
        if week is None:
            looks = [look(number, asked) for number in recorded]
            return AllWeeks(looks).told() if looks else no_data(say("weeks.none_recorded"), say("weeks.ask_grade"))
        week_of(course, week)
        if week not in recorded:
            done = say.done(course.weeks_done)
            return no_data(say("weeks.later", week=week, done=done), say("weeks.ask", weeks=done))
        return look(week, asked).told()

    return Tool.of(sort_student_features_with_importance)
