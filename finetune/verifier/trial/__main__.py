"""What choosing is worth: the same candidates, taken by chance, by verifiers of other tasks, and by the true state.

    python -m finetune.verifier.trial RUN_DIR… --out DIR [--candidates 10] [--seeds 1]

Tracers and verifiers are trained on the dialogues of RUN_DIR…, for each fold of tasks on those of the others; then
knowledge-driven students of all tasks are tutored by each chooser. Killed, it goes on where it was.
"""

import argparse
import functools
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from data.tasks.brief import make_brief
from data.tasks.format import CodingTask
from data.tasks.reading import TASKS, find_task, list_tasks
from eval.table import Table
from eval.tutoring.metrics.summary import SUMMARY, make_summary_tables, summarise_run, write_run_summary
from eval.tutoring.programs.component_tests import name_tests
from eval.tutoring.programs.tester import ProgramTester, identify_program
from eval.tutoring.protocol.moderator import TestsModerator
from eval.tutoring.protocol.plan import MeasurementPlan
from eval.tutoring.protocol.record import MeasuredSession, SessionKey
from eval.tutoring.protocol.run import PROGRAMS, MeasurementFolder, run_sessions
from eval.tutoring.protocol.session import measure_session
from eval.tutoring.students.knowledge_driven import KnowledgeDrivenStudent
from eval.tutoring.students.learning import Listening
from finetune.verifier.trial.candidates import CandidateTutor, ObservedStudent, TrueStateChoice
from finetune.verifier.dialogues import read_dialogues
from finetune.verifier.trial.folded import FoldedVerifier, train_folded
from finetune.verifier.samples import FOLDS, make_samples
from finetune.verifier.tracers import gather_moments, train_by_folds
from scribe.plumbing.errors import ScribeError
from scribe.plumbing.progress import OnProgress, show_progress
from scribe.plumbing.signals import notice_interruption
from scribe.tutor.methods.traver import CANDIDATES
from scribe.tutor.session import TaskBrief
from scribe.verify.choosing import Chooser, RandomChoice, VerifiedChoice
from tools.embedding.embedders import Embedder, MiniLM

CHANCE, TRUE_STATE = "by-chance", "by-true-state"


@dataclass(frozen=True, slots=True)
class ChoiceTrial:
    """Measures sessions of tutors that differ by who chooses. verifiers: by tutor's name, each of other tasks."""

    plan: MeasurementPlan
    verifiers: Mapping[str, FoldedVerifier]
    candidates: int
    tester: ProgramTester
    listening: Listening
    folder: Path = TASKS

    def measure(self, key: SessionKey) -> MeasuredSession:
        """The record of one session. Raises SandboxMissing."""
        task, brief = _open_task(key.task, self.folder, self.tester)
        student = ObservedStudent(KnowledgeDrivenStudent(task, key.level, self.tester, self.listening, key.seed))
        tutor = CandidateTutor(key.tutor, self._choose(key.tutor, student), self.candidates)
        moderator, limits = TestsModerator(task, self.tester), (self.plan.attempts, self.plan.rounds)
        return measure_session(key, task, brief, tutor, student, moderator, self.tester, *limits)

    def describe(self, runs: Sequence[Path]) -> dict[str, object]:
        """What the sessions of a folder have in common."""
        tasks = (find_task(name, self.folder) for name in self.plan.tasks)
        return {
            **self.plan.describe_students(),
            "candidates": self.candidates,
            "trained_on": sorted(map(str, runs)),
            "tasks": {each.id: identify_program(each, each.reference) for each in tasks},
            "tutors": {name: {} for name in self.plan.tutors},
        }

    def _choose(self, name: str, student: ObservedStudent) -> Chooser:
        if name == CHANCE:
            return RandomChoice()
        if name == TRUE_STATE:
            return TrueStateChoice(self.listening, lambda: student.state)
        return VerifiedChoice(self.verifiers[name])


@functools.cache
def _open_task(name: str, folder: Path, tester: ProgramTester) -> tuple[CodingTask, TaskBrief]:
    task = find_task(name, folder)
    return task, name_tests(make_brief(task), task, tester)


def main(words: Sequence[str] | None = None) -> int:
    """Train, tutor and print; 0 if all sessions are there, 2 if it is refused, 3 if some are missing."""
    arguments = _parse(words)
    try:
        with show_progress() as on_progress:
            tables, missing = run_trial(arguments, MiniLM(), on_progress)
    except ScribeError as error:
        print(error, file=sys.stderr)
        return 2
    for table in tables:
        print(f"{table.markdown()}\n")
    print(f"{missing} sessions are missing; run the same again to go on" if missing else f"written to {arguments.out}")
    return 3 if missing else 0


def run_trial(
    arguments: argparse.Namespace, embedder: Embedder, on_progress: OnProgress
) -> tuple[list[Table], int]:
    """The tables of all choosers, and how many sessions are missing. Raises UsageError, RecordError, SandboxMissing."""
    dialogues = read_dialogues(arguments.runs, partial(on_progress, "reading dialogues"), arguments.tasks_folder)
    rows = gather_moments(dialogues, partial(on_progress, "tracing"))
    trained = train_by_folds(rows, partial(on_progress, "training tracers"), arguments.folds)
    embedding = partial(on_progress, "embedding")
    verifiers = train_folded(dialogues, make_samples(dialogues), rows, trained, embedder, embedding)
    names = (CHANCE, *verifiers, TRUE_STATE)
    tasks = tuple(name for name in list_tasks(arguments.tasks_folder) if name in next(iter(verifiers.values())).folds)
    plan = MeasurementPlan(names, tasks, seeds=arguments.seeds)
    tester = ProgramTester(arguments.out / PROGRAMS)
    listening = Listening(embedder=embedder)
    trial = ChoiceTrial(plan, verifiers, arguments.candidates, tester, listening, arguments.tasks_folder)
    about, keys = trial.describe(arguments.runs), list(plan.list_keys())
    with MeasurementFolder(arguments.out, about) as folder, notice_interruption() as interrupted:
        count = partial(on_progress, "tutoring")
        outcome = run_sessions(folder, keys, trial.measure, arguments.parallel, interrupted, count)
        sessions = [folder.sessions[key] for key in keys if key in folder.sessions]
    summary = summarise_run(sessions, plan.tutors, plan.tasks)
    write_run_summary(arguments.out / SUMMARY, summary, about)
    return make_summary_tables(summary), outcome.wanted - outcome.done


def _parse(words: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m finetune.verifier.trial",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("runs", type=Path, nargs="+", metavar="RUN_DIR", help="folders that `scribe dict` wrote")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR")
    parser.add_argument("--tasks-folder", type=Path, default=TASKS, metavar="DIR", help="where the tasks lie")
    parser.add_argument("--folds", type=int, choices=range(2, 42), default=FOLDS, metavar="N", help="of tasks (5)")
    parser.add_argument("--candidates", type=int, default=CANDIDATES, metavar="N", help="to choose among (10)")
    parser.add_argument("--seeds", type=int, default=1, metavar="N", help="students of each level (1)")
    parser.add_argument("--parallel", type=int, default=2, metavar="N", help="sessions at a time (2)")
    return parser.parse_args(words)


if __name__ == "__main__":
    sys.exit(main())
