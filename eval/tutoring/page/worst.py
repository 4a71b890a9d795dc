"""The dialogues after which students could write least, in full, so that a person can see why."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from eval.tutoring.metrics.at_k import average_pass, average_recall
from eval.tutoring.protocol.record import CodingTest, DialogueRound, MeasuredSession
from eval.tutoring.students.attention import keep_heard


@dataclass(frozen=True, slots=True)
class WorstRound:
    """One round of a dialogue. unheard: the beginning of the tutor's turn that is out of the student's mind.

    learned: components that became known in it; outcome: Pass after it, in percent.
    """

    number: int
    unheard: str
    heard: str
    said: DialogueRound
    learned: tuple[str, ...]
    outcome: float


@dataclass(frozen=True, slots=True)
class WorstDialogue:
    """A session whose students could write little afterwards; Pass before and after in percent.

    titles: what each component is about, by name. known: how many were at first and at last, None where nobody knows.
    """

    session: MeasuredSession
    title: str
    before: float
    after: float
    known: tuple[int, int] | None
    components: Mapping[str, str]
    rounds: tuple[WorstRound, ...]


@dataclass(frozen=True, slots=True)
class TaskWords:
    """What the page calls a task and its components."""

    title: str
    components: Mapping[str, str]


def find_worst(
    sessions: Sequence[MeasuredSession], tutor: str, tasks: Mapping[str, TaskWords], most: int
) -> list[WorstDialogue]:
    """Those of a tutor's dialogues with the least Pass at the end; of equals the least gain, then the least Recall."""
    held = [session for session in sessions if session.key.tutor == tutor and session.rounds]
    return [_describe(session, tasks[session.key.task]) for session in sorted(held, key=_rank)[:most]]


def _rank(session: MeasuredSession) -> tuple[float, float, float, str, str, int]:
    after, key = _measure_pass(session.tests[-1]), session.key
    recall = average_recall([each.recall for each in session.tests[-1].programs])
    return after, after - _measure_pass(session.tests[0]), recall, key.task, key.level, key.seed


def _describe(session: MeasuredSession, words: TaskWords) -> WorstDialogue:
    last = session.rounds[-1].known
    known = None if session.prior is None or last is None else (len(session.prior), len(last))
    ends = _measure_pass(session.tests[0]), _measure_pass(session.tests[-1])
    return WorstDialogue(session, words.title, *ends, known, words.components, tuple(_list_rounds(session)))


def _list_rounds(session: MeasuredSession) -> Iterator[WorstRound]:
    known = session.prior or ()
    for number, said in enumerate(session.rounds, start=1):
        text = said.tutor.text
        heard = keep_heard(text)
        unheard = "" if heard == text else " ".join(text.split()[: -len(heard.split())])
        learned = tuple(name for name in said.known or () if name not in known)
        known = said.known or known
        yield WorstRound(number, unheard, heard, said, learned, _measure_pass(session.tests[number]))


def _measure_pass(test: CodingTest) -> float:
    return 100 * average_pass([each.passed for each in test.programs])
