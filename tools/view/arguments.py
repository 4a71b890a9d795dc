"""The arguments that tools share: their bounds in the schema, and refusals that name what is valid."""

from pydantic import Field
from pydantic.fields import FieldInfo

from data.course import Course, Week
from scribe.tool import Refusal

LONGEST_QUERY = 300
"""Characters of a query that are looked at."""


def week_bounds(course: Course) -> FieldInfo:
    """The range of weeks for a tool's schema.

    Only for the schema: pydantic does not enforce it, so that the refusal can be in our words.
    """
    bounds: FieldInfo = Field(json_schema_extra={"minimum": 1, "maximum": course.weeks})
    return bounds


def find_week(course: Course, number: int) -> Week:
    """The plan of this week. Raises Refusal naming the weeks there are."""
    for week in course.plan:
        if week.number == number:
            return week
    raise Refusal(f"There is no week {number}.", weeks=f"1 to {course.weeks}")


def clean_query(text: str, name: str = "query") -> str:
    """The text on one line, cut to a sensible length. Raises Refusal if nothing is left."""
    said = " ".join(text.split())[:LONGEST_QUERY]
    if not any(letter.isalnum() for letter in said):
        raise Refusal(f"The argument {name} is empty; give a few words to look for.")
    return said


def no_data(what: str, **instead: object) -> dict[str, object]:
    """The answer of a tool that has nothing: what is missing, and what could be asked for instead."""
    return {"no_data": what, **instead}
