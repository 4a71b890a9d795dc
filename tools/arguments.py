"""The arguments that tools share: their bounds in the schema, and refusals that name what is valid."""

from pydantic import Field
from pydantic.fields import FieldInfo

from data.course import Course, Week
from scribe.tool import Refusal
from tools.phrases import Phrases, phrases

LONGEST_QUERY = 300


def week_bounds(course: Course) -> FieldInfo:
    """The range of weeks for a tool's schema.

    Only for the schema: pydantic does not enforce it, so that the refusal can be in our words.
    """
    bounds: FieldInfo = Field(json_schema_extra={"minimum": 1, "maximum": course.weeks})
    return bounds


def week_of(course: Course, number: int) -> Week:
    """The plan of this week. Raises Refusal naming the weeks there are."""
    for week in course.plan:
        if week.number == number:
            return week
    raise Refusal(phrases(course.spoken)("any.no_such_week", week=number, last=course.weeks))


def words_of(text: str, say: Phrases, name: str = "query") -> str:
    """The text on one line, cut to a sensible length. Raises Refusal if nothing is left."""
    said = " ".join(text.split())[:LONGEST_QUERY]
    if not any(letter.isalnum() for letter in said):
        raise Refusal(say("any.empty", name=name))
    return said


def no_data(what: str, instead: str) -> dict[str, str]:
    """The answer of a tool that has nothing: what is missing and why, and what could be asked."""
    return {"no_data": what, "try": instead}
