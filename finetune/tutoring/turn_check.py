"""One turn that a writer sent: read, or refused with a complaint for the writer."""

from data.tasks.format import CodingTask
from scribe.dialect import Final, Malformed, MarkerDialect
from scribe.messages import END_OF_FINAL_ANSWER, END_OF_REASONING, FINAL_ANSWER, OPENER
from scribe.tutor.session import MAX_WORDS, TutoringSession, TutorTurn
from scribe.tutor.solution_guard import SolutionGuard
from scribe.tutor.speaking import list_known

_FORMAT = f"{OPENER} note {END_OF_REASONING}\n{FINAL_ANSWER}what you say{END_OF_FINAL_ANSWER}"


class RefusedTurn(Exception):
    """A turn that is not said to the student; the message is the complaint."""


def make_guard(task: CodingTask) -> SolutionGuard:
    """The guard of a task's solution."""
    return SolutionGuard(tuple(task.part(each.name) for each in task.components), task.reference)


def read_turn(raw: str, session: TutoringSession, guard: SolutionGuard) -> TutorTurn:
    """The turn, if it may be said to the student next. Raises RefusedTurn."""
    whole = f"{OPENER} {raw.strip().removeprefix(OPENER).strip()}"
    reading = MarkerDialect().read(whole)
    if isinstance(reading, Malformed):
        raise RefusedTurn(f"{reading.complaint} The format is: {_FORMAT}")
    if not isinstance(reading, Final) or whole.count(FINAL_ANSWER) != 1 or not whole.endswith(END_OF_FINAL_ANSWER):
        raise RefusedTurn(f"It is not in the format, which is: {_FORMAT}")
    text, thought = reading.text.strip(), reading.thought.strip()
    if not text or not thought:
        raise RefusedTurn(f"The {'turn' if thought else 'note'} is empty.")
    words = len(text.split())
    if words > MAX_WORDS:
        raise RefusedTurn(f"It has {words} words; say at most {MAX_WORDS}.")
    leaks = guard.find_leaks(text, list_known(session))
    if leaks:
        raise RefusedTurn(f"It gives away code of the solution ({'; '.join(leaks)}); explain it in words.")
    return TutorTurn(text, thought)
