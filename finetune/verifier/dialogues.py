"""Dialogues that `scribe dict` recorded, with their briefs: what verifier and tracer are trained on."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from data.tasks.brief import make_brief
from data.tasks.reading import TASKS, find_task
from eval.lines import parse_lines
from eval.tutoring.programs.component_tests import name_tests
from eval.tutoring.programs.tester import ProgramTester
from eval.tutoring.protocol.record import SESSION, MeasuredSession, SessionKey
from eval.tutoring.protocol.run import PROGRAMS, SESSIONS
from scribe.plumbing.errors import RecordError, UsageError
from scribe.plumbing.progress import OnCount
from scribe.tutor.session import Language, TaskBrief, TutoringSession

PASSED = 0.5
"""Share of the programs of the last post-test that must pass. One of ten passes by luck alone now and then, even where
nothing was explained, so the authors' "any" would reward silence."""


@dataclass(frozen=True, slots=True)
class TaughtDialogue:
    """A recorded dialogue. whole: the session with all turns; success: its outcome.

    known: the components that the student truly knew, before the first turn and after each round; empty where nobody
    knows it.
    """

    key: SessionKey
    whole: TutoringSession
    success: bool
    known: tuple[frozenset[str], ...] = ()

    def before(self, turn: int) -> TutoringSession:
        """The session in which the tutor is about to say turn number `turn`, from 0."""
        return TutoringSession(self.whole.brief, self.whole.turns[: 2 * turn])


def read_dialogues(folders: Sequence[Path], on_count: OnCount, tasks: Path = TASKS) -> list[TaughtDialogue]:
    """The dialogues of the folders of runs, in the order of their keys; sessions without a turn are left out.

    Components' tests are found as in the run, from its kept results where they are there. Raises UsageError for a
    folder that is none of a run, that repeats a session of another or that holds no dialogue, RecordError for bad
    lines, SandboxMissing where a test must be run and cannot.
    """
    found: dict[tuple[SessionKey, Language], tuple[MeasuredSession, Path]] = {}
    for folder in folders:
        if not (folder / SESSIONS).is_file():
            raise UsageError(f"{folder} holds no {SESSIONS}; name folders that `scribe dict --out` wrote")
        for where, session in parse_lines(folder / SESSIONS, SESSION, "sessions"):
            name = session.key, session.language
            if name in found:
                raise UsageError(f"{where}: this session is in {found[name][1]} already; give each run once")
            if session.rounds:
                found[name] = session, folder
    if not found:
        raise UsageError(f"no dialogue in {', '.join(map(str, folders))}; measure tutors with `scribe dict` first")
    return list(_join(found, on_count, tasks))


def _join(
    found: dict[tuple[SessionKey, Language], tuple[MeasuredSession, Path]], on_count: OnCount, tasks: Path
) -> Iterator[TaughtDialogue]:
    testers = {folder: ProgramTester(folder / PROGRAMS) for _, folder in found.values()}
    briefs: dict[tuple[str, Language], TaskBrief] = {}
    ordered = sorted(found.values(), key=lambda each: (each[0].key.task, each[0].language, repr(each[0].key)))
    for done, (session, folder) in enumerate(ordered, start=1):
        name = session.key.task, session.language
        if name not in briefs:
            task = find_task(session.key.task, tasks)
            briefs[name] = name_tests(make_brief(task, session.language), task, testers[folder])
        yield make_dialogue(session, briefs[name])
        on_count(done, len(ordered))


def make_dialogue(session: MeasuredSession, brief: TaskBrief) -> TaughtDialogue:
    """A record with its brief. Raises RecordError for one without a post-test or with components that are not there."""
    where = f"session {session.key}"
    if not session.tests or session.tests[-1].round != len(session.rounds) or not session.tests[-1].programs:
        raise RecordError(f"{where}: its last post-test is missing")
    programs = session.tests[-1].programs
    turns = tuple(turn for each in session.rounds for turn in (each.tutor, each.student))
    states = (session.prior, *(each.known for each in session.rounds))
    known = tuple(frozenset(state) for state in states if state is not None)
    if foreign := frozenset().union(*known) - {each.name for each in brief.components}:
        raise RecordError(f"{where}: no component {min(foreign)} in its task; it was measured with another one")
    success = sum(each.passed for each in programs) >= PASSED * len(programs)
    return TaughtDialogue(
        session.key, TutoringSession(brief, turns), success, known if len(known) == len(states) else ()
    )
