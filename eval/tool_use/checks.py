"""What is checked of one answer without a judge: its tools and arguments, its faults, and whether it is grounded."""

import re
import tomllib
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from data.bundle import COURSES
from data.course import BundleError
from eval.tool_use.answers import AnswerRow, RequiredArguments
from scribe import prompts
from scribe.plumbing.errors import ScribeError
from scribe.records import Record
from scribe.tool import coerce
from scribe.trajectory import Fault, Trajectory
from tools.assembly.assistant import RecordedCourses
from tools.assembly.settings import AssistantSettings

FAULT_KINDS = {
    "malformed": "turn could not be read",
    "cut_off": "turn cut off",
    "circle": "turn in a circle",
    "unsure": "uncertain figure",
    "misquoted": "quoted what stands nowhere",
    "answer_now": "call where only an answer was left",
    "unsupported": "answer named what nothing supports",
}
"""The notices that make a fault, in the words of a table."""
OTHER = "other"


def is_first_tool_acceptable(row: AnswerRow) -> bool | None:
    """Whether the first call, or calling nothing, is acceptable; None where nobody has said."""
    names = [call.name for call, _ in row.calls] or [""]
    return None if row.tools is None else names[0] in (row.tools or ("",))


def is_any_tool_acceptable(row: AnswerRow) -> bool | None:
    """Whether any call, or calling nothing, is acceptable; None where nobody has said."""
    names = {call.name for call, _ in row.calls} or {""}
    return None if row.tools is None else not names.isdisjoint(row.tools or ("",))


def check_first_arguments(row: AnswerRow) -> Iterator[bool]:
    """Whether the first call to each tool that the question requires arguments of gives them; none if not called."""
    for name, required in row.arguments.items():
        given = next((call.arguments for call, _ in row.calls if call.name == name), None)
        if given is not None:
            yield gives_arguments(required, given)


def gives_arguments(required: RequiredArguments, given: Mapping[str, Any]) -> bool:
    """Whether all that is required is given, read as tools read it ("5" and "week 5" are 5); more may be given."""
    types = {name: {"type": "integer" if isinstance(each, int) else "string"} for name, each in required.items()}
    read, _ = coerce(given, {"properties": types, "required": []})
    return all(_matches(read.get(name), each) for name, each in required.items())


def _matches(given: Any, required: int | str) -> bool:
    if isinstance(required, int):
        return given == required and not isinstance(given, bool)
    return isinstance(given, str) and _normalise(required) in _normalise(given)


def _normalise(text: str) -> str:
    """The text however it was typed: one form of each letter, no capitals, single blanks."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def count_faults(faults: Iterable[Fault]) -> Counter[str]:
    """Count the faults of each kind, in the words of a table; a notice that is none of ours counts as other."""
    return Counter(name_fault(fault.complaint) for fault in faults)


def name_fault(complaint: str) -> str:
    """The kind of fault that a complaint is about, told by the notice that the model was given."""
    found = (words for name, words in FAULT_KINDS.items() if _notice_patterns()[name].fullmatch(complaint))
    return next(found, OTHER)


@cache
def _notice_patterns() -> dict[str, re.Pattern[str]]:
    """By a notice's name, what matches it with anything in its slots."""
    notices = tomllib.loads(prompts.text("notices.toml"))
    fixed = {name: re.split(r"(?<!\{)\{\w+\}", str(notices[name])) for name in FAULT_KINDS}
    escaped = {
        name: [re.escape(part.replace("{{", "{").replace("}}", "}")) for part in parts] for name, parts in fixed.items()
    }
    return {name: re.compile(".*".join(parts), re.DOTALL) for name, parts in escaped.items()}


class GroundednessCheck:
    """Whether what answers name stands in their report or in what tools said: the guard's check, done again.

    A share below 1 says that an answer was made without it, by an older version, or with a course as it was before.
    """

    def __init__(self, courses: Path = COURSES) -> None:
        self._courses = RecordedCourses(AssistantSettings().with_changes("courses", folder=str(courses)))

    def find_unsupported(self, record: Record) -> tuple[str, ...] | None:
        """Find what of the answer nothing supports; None if there is no answer, or its course is not here."""
        if not record.answer:
            return None
        try:
            check = self._courses.check(record)
        except (ScribeError, BundleError):
            return None  # a course that is gone leaves its answers unchecked, and a table counts them
        return tuple(check(Trajectory(record.task, record.steps[:-1]), record.answer))
