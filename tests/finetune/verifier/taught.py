"""Small dialogues whose outcome follows from what the tutor said, and folders of them as a run writes them."""

import json
import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from data.tasks.brief import make_brief
from data.tasks.reading import find_task
from eval.tutoring.programs.tester import ProgramTester, TestedProgram, identify_program
from eval.tutoring.protocol.record import (
    SESSION,
    CodingTest,
    DialogueRound,
    MeasuredSession,
    ProgramResult,
    SessionKey,
)
from eval.tutoring.protocol.run import PROGRAMS, SESSIONS
from eval.tutoring.students.student import Level
from finetune.verifier.dialogues import TaughtDialogue, make_dialogue
from scribe.sandbox.result import CaseResult
from scribe.tutor.session import ComponentBrief, StudentTurn, TaskBrief, TutorTurn
from tests.scribe.tutor.lesson import BRIEF

IDLE = "Take your time."


def make_session(
    brief: TaskBrief, said: Sequence[ComponentBrief | None], passes: int, seed: int = 0, level: Level = "low"
) -> MeasuredSession:
    """A tutor explains one component after the other, None is idle talk; what is explained is known from then on."""
    known: tuple[str, ...] = ()
    rounds = []
    for each in said:
        known = known if each is None else (*known, each.name)
        student = StudentTurn("Hm." if each is None else each.text)
        rounds.append(DialogueRound(TutorTurn(IDLE if each is None else each.text), student, known))
    tests = tuple(CodingTest(at, ()) for at in range(len(said)))
    last = CodingTest(len(said), tuple(ProgramResult(f"{n}", n < passes, 1.0) for n in range(10)))
    key = SessionKey("scripted", brief.task, level, seed)
    return MeasuredSession(key, "knowledge", "English", "rounds", (), tuple(rounds), (*tests, last))


def make_dialogues(tasks: int = 4, seeds: int = 6) -> list[TaughtDialogue]:
    """Half of them explain all and succeed, half explain nothing and fail."""
    dialogues = []
    for number in range(tasks):
        brief = replace(BRIEF, task=f"basket-{number}")
        for seed in range(seeds):
            good = seed % 2 == 0
            said = list(brief.components) if good else [None] * 2
            random.Random(seed).shuffle(said)
            dialogues.append(make_dialogue(make_session(brief, said, 10 * good, seed), brief))
    return dialogues


def write_run(folder: Path, tasks: Sequence[str], seeds: int = 2) -> Path:
    """The folder of a run on real tasks; results of their wrong versions are in it, so that no sandbox is needed."""
    folder.mkdir(parents=True)
    tester, lines = ProgramTester(folder / PROGRAMS), []
    for name in tasks:
        task = find_task(name)
        versions = {each.name: range(1, len(task.wrong[each.name]) + 1) for each in task.components}
        codes = [task.compose({one: at}) for one, many in versions.items() for at in many]
        cases = tuple(CaseResult(each, "failed") for each in task.test_names)
        tester.adopt(TestedProgram(identify_program(task, code), task.id, code, False, 0.0, cases) for code in codes)
        brief = make_brief(task)
        for seed in range(seeds):
            said = list(brief.components[:2]) if seed % 2 else [None, None]
            lines.append(SESSION.dump_python(make_session(brief, said, 10 * (seed % 2), seed), mode="json"))
    (folder / SESSIONS).write_text("".join(f"{json.dumps(each)}\n" for each in lines), encoding="utf-8")
    return folder
