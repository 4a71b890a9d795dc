"""One session: pre-test, dialogue round by round until the goal or the last round, and the post-test of each round."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from data.tasks.format import CodingTask
from eval.tutoring.programs.tester import ProgramTester
from eval.tutoring.protocol.moderator import Moderator
from eval.tutoring.protocol.record import (
    CodingTest,
    DialogueRound,
    MeasuredSession,
    ProgramResult,
    SessionEnd,
    SessionKey,
)
from eval.tutoring.students.student import StudentState, TutoredStudent
from scribe.tutor.session import MAX_ROUNDS, StudentTurn, TaskBrief, Tutor, TutoringSession, TutorTurn

ATTEMPTS = 10
"""Programs of a coding test, the paper's n."""


@dataclass(frozen=True, slots=True)
class SessionMoment:
    """A session after a round, or before the first: what was said, the student, and whether the goal is reached."""

    session: TutoringSession
    state: StudentState
    reached: bool = False
    ruled: bool = True


def hold_dialogue(
    tutor: Tutor, student: TutoredStudent, moderator: Moderator, brief: TaskBrief, seed: int, rounds: int = MAX_ROUNDS
) -> Iterator[SessionMoment]:
    """The moments of a dialogue, the first before anything is said; it ends by the moderator or after `rounds`.

    Raises BackendError or SandboxMissing.
    """
    moment = SessionMoment(TutoringSession(brief), student.begin())
    yield moment
    while moment.session.rounds < rounds and not moment.reached:
        heard = moment.session.then(tutor.speak(moment.session, seed))
        turn, state = student.reply(heard, moment.state)
        session = heard.then(turn)
        ruling = moderator.judge(session)
        moment = SessionMoment(session, state, ruling.reached, ruling.readable)
        yield moment


def hold_tests(
    task: CodingTask,
    student: TutoredStudent,
    moments: Sequence[SessionMoment],
    tester: ProgramTester,
    attempts: int = ATTEMPTS,
) -> tuple[CodingTest, ...]:
    """The coding test of a student at each moment; round n is the test after n rounds.

    All programs are run together, each text once. Raises BackendError or SandboxMissing.
    """
    codes = [
        [student.attempt(moment.session, moment.state, number) for number in range(attempts)] for moment in moments
    ]
    tried = iter(tester.try_programs(task, [code for each in codes for code in each]))
    tests = []
    for number, row in enumerate(codes):
        results = (ProgramResult(each.id, each.passed, each.recall) for each in islice(tried, len(row)))
        tests.append(CodingTest(number, tuple(results)))
    return tuple(tests)


def measure_session(
    key: SessionKey,
    task: CodingTask,
    brief: TaskBrief,
    tutor: Tutor | None,
    student: TutoredStudent,
    moderator: Moderator,
    tester: ProgramTester,
    attempts: int = ATTEMPTS,
    rounds: int = MAX_ROUNDS,
) -> MeasuredSession:
    """The record of one session. tutor: None is the paper's Oracle, who gives the student all knowledge at once.

    Raises BackendError or SandboxMissing.
    """
    began = time.monotonic()
    if tutor is None:
        session = TutoringSession(brief)
        moments = [SessionMoment(session, student.begin()), SessionMoment(session, student.inform())]
        end: SessionEnd = "oracle"
    else:
        moments = list(hold_dialogue(tutor, student, moderator, brief, key.seed, rounds))
        end = "goal" if moments[-1].reached else "rounds"
    tests = hold_tests(task, student, moments, tester, attempts)
    seconds = round(time.monotonic() - began, 2)
    prior = moments[0].state.known
    return MeasuredSession(key, student.kind, brief.language, end, prior, _list_rounds(moments), tests, seconds)


def _list_rounds(moments: Sequence[SessionMoment]) -> tuple[DialogueRound, ...]:
    rounds = list[DialogueRound]()
    for moment in moments[1:]:
        match moment.session.turns[-2:]:
            case (TutorTurn() as tutor, StudentTurn() as student):
                rounds.append(DialogueRound(tutor, student, moment.state.known, moment.ruled))
    return tuple(rounds)
