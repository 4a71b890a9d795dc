"""Feedback reports through a language model: two calls in one conversation, then a check, then corrections.

The first call selects: from findings, outline and theory the model works out what explains this student best. The
second presents: it turns that analysis into a short letter (the recipe of iLLuMinaTE, in our own words; see `prompts`).
What `claims` finds wrong goes back as a further message. A letter that stays wrong is never used: the student gets the
composed report instead, and the caller is told why.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.resources import files
from string import Template
from typing import Literal, TypedDict

from data.bundle_cohort import THEORIES
from data.course import Course, Outcome, Student
from data.reports import evidence
from data.reports.claims import PARTS, Checker, parts_named
from data.reports.compose import MOST_WORDS, words, write_report
from data.reports.naming import course_name

SHORTEST = 80  # words; less leaves one of the three questions open
_STANCE: dict[Outcome, str] = {
    "fail": "They need to change something: say so kindly, and make it sound possible.",
    "pass": "They are doing well: say what carries them, and advise to keep it. Do not invent weaknesses.",
}


class Message(TypedDict):
    """One turn of the conversation, as chat servers take it."""

    role: Literal["user", "assistant"]
    content: str


Say = Callable[[Sequence[Message]], str]
"""Asks the model to go on with a conversation and returns its turn; exceptions go through to the caller."""


@dataclass(frozen=True, slots=True)
class Written:
    """A report that is fit to be read. `source` is "llm", or "composed" where the model's last letter was wrong:
    `complaints` then says in what. `letters` counts what the model wrote, corrections included.
    """

    text: str
    analysis: str
    complaints: tuple[str, ...]
    source: Literal["llm", "composed"]
    letters: int


def write_with(say: Say, course: Course, student: Student, theory: str, attempts: int = 3) -> Written:
    """A report by a language model that agrees with the data, or else the composed one.

    attempts: how often the model may correct its letter. Raises BundleError where `write_report` does.
    """
    composed = write_report(course, student, theory)  # first, since it also says what cannot be written at all
    talk: list[Message] = []
    check = Checker(course)
    analysis = _ask(say, talk, _selection(course, student, theory))
    request, wrong = _presentation(course, student, theory), [""]
    for letters in range(1, attempts + 2):
        text = _ask(say, talk, request) + "\n"
        wrong = [*_form(text, theory), *check(text, student)]
        if not wrong:
            return Written(text, analysis, (), "llm", letters)
        request = _prompt("revision", complaints="\n".join(f"- {each}" for each in wrong))
    return Written(composed, analysis, tuple(wrong), "composed", attempts + 1)


def _ask(say: Say, talk: list[Message], request: str) -> str:
    talk.append({"role": "user", "content": request})
    answer = say(tuple(talk)).strip()
    talk.append({"role": "assistant", "content": answer})
    return answer


def _selection(course: Course, student: Student, theory: str) -> str:
    return _prompt(
        "selection",
        course=course.title,
        done=course.weeks_done,
        weeks=course.weeks,
        behaviours=evidence.behaviours(course, student),
        outline=evidence.outline(course),
        prerequisites=evidence.prerequisites(course),
        data=evidence.data(course, student),
        theory=_theory(theory)[0],
    )


def _presentation(course: Course, student: Student, theory: str) -> str:
    return _prompt(
        "presentation",
        course=course_name(course),
        parts=_theory(theory)[1],
        next=course.weeks_done + 1,
        words=MOST_WORDS,
        stance=_STANCE[student.predicted],
    )


def _theory(theory: str) -> tuple[str, str]:
    """How to think after a theory, and the parts to present."""
    thought, _, parts = _text(f"theory-{theory}").partition("\n---\n")
    return thought, parts


def _form(text: str, theory: str) -> list[str]:
    """What is wrong with length and structure; `claims` sees to all else."""
    wrong, size = [], words(text)
    if not SHORTEST <= size <= MOST_WORDS:
        wrong.append(f"the letter has {size} words; it should have {SHORTEST} to {MOST_WORDS}")
    parts = PARTS[THEORIES.index(theory)]
    if parts_named(text) != parts:
        wrong.append(f"the parts in bold should be {', '.join(f'**{part}:**' for part in parts)}, in this order")
    return wrong


def _prompt(name: str, **slots: object) -> str:
    return Template(_text(name)).substitute({key: str(value) for key, value in slots.items()})


def _text(name: str) -> str:
    return files("data.reports").joinpath("prompts", f"{name}.md").read_text(encoding="utf-8").rstrip("\n")
