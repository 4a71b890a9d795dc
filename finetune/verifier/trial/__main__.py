"""What choosing is worth: the same candidates, taken by chance, by verifiers of other tasks, and by the true state.

    python -m finetune.verifier.trial RUN_DIR… --out DIR [--candidates 10] [--seeds 1]

Tracers and verifiers are trained on the dialogues of RUN_DIR…, for each fold of tasks on those of the others; then
knowledge-driven students of all these tasks are tutored by each chooser. Killed, it goes on where it was.
"""

import argparse
import sys
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from data.tasks.reading import TASKS, find_task
from eval.table import Table
from eval.tutoring.metrics.summary import SUMMARY, make_summary_tables, summarise_run, write_run_summary
from eval.tutoring.programs.tester import ProgramTester, identify_program
from eval.tutoring.protocol.informed import InformedTutor
from eval.tutoring.protocol.measuring import SessionMeasurer
from eval.tutoring.protocol.plan import MeasurementPlan
from eval.tutoring.protocol.run import PROGRAMS, MeasurementFolder, run_sessions
from eval.tutoring.students.learning import Listening
from finetune.verifier.dialogues import TaughtDialogue, read_dialogues
from finetune.verifier.drawing_tutor import DrawingTutor
from finetune.verifier.samples import FOLDS, make_samples
from finetune.verifier.tracers import gather_moments, train_by_folds
from finetune.verifier.trial.folded import FoldedVerifier, train_folded
from scribe.plumbing.errors import ScribeError
from scribe.plumbing.progress import OnProgress, show_progress
from scribe.plumbing.signals import notice_interruption
from scribe.tutor.methods.traver import CANDIDATES
from scribe.tutor.session import Tutor
from scribe.verify.choosing import RandomChoice, VerifiedChoice
from tools.embedding.embedders import Embedder, MiniLM

CHANCE, TRUE_STATE = "by-chance", "by-true-state"


def main(words: Sequence[str] | None = None) -> int:
    """Train, tutor and print; 0 if all sessions are there, 2 if it is refused, 3 if some are missing."""
    arguments = _parse(words)
    try:
        with show_progress() as on_progress:
            embedder = MiniLM()
            dialogues = read_dialogues(arguments.runs, partial(on_progress, "reading"), arguments.tasks_folder)
            verifiers = train_verifiers(dialogues, arguments.folds, embedder, on_progress)
            tester = ProgramTester(arguments.out / PROGRAMS)
            listening = Listening(embedder=embedder)
            tables, missing = run_trial(arguments, verifiers, tester, listening, on_progress)
    except ScribeError as error:
        print(error, file=sys.stderr)
        return 2
    for table in tables:
        print(f"{table.markdown()}\n")
    print(f"{missing} sessions are missing; run the same again to go on" if missing else f"written to {arguments.out}")
    return 3 if missing else 0


def train_verifiers(
    dialogues: Sequence[TaughtDialogue], folds: int, embedder: Embedder, on_progress: OnProgress
) -> dict[str, FoldedVerifier]:
    """The verifiers to be compared, by tutors' names. Raises UsageError."""
    rows = gather_moments(dialogues, partial(on_progress, "tracing"))
    trained = train_by_folds(rows, partial(on_progress, "training tracers"), folds)
    return train_folded(dialogues, make_samples(dialogues), rows, trained, embedder, partial(on_progress, "embedding"))


def run_trial(
    arguments: argparse.Namespace,
    verifiers: Mapping[str, FoldedVerifier],
    tester: ProgramTester,
    listening: Listening,
    on_progress: OnProgress,
) -> tuple[list[Table], int]:
    """The tables of all choosers, and how many sessions are missing. Raises UsageError, RecordError, SandboxMissing."""
    tutors = open_choosers(verifiers, arguments.candidates)
    known = sorted(next(iter(verifiers.values())).folds)
    plan = MeasurementPlan(tuple(tutors), tuple(known), seeds=arguments.seeds, rounds=arguments.rounds)
    measurer = SessionMeasurer(plan, tutors, tester, listening, tasks=arguments.tasks_folder)
    tasks = [find_task(name, arguments.tasks_folder) for name in known]
    about = {
        **plan.describe_students(),
        "candidates": arguments.candidates,
        "trained_on": sorted(map(str, arguments.runs)),
        "folds": arguments.folds,
        "tasks": {each.id: identify_program(each, each.reference) for each in tasks},
        "tutors": {name: {} for name in plan.tutors},
    }
    keys = list(plan.list_keys())
    with MeasurementFolder(arguments.out, about) as folder, notice_interruption() as interrupted:
        count = partial(on_progress, "tutoring")
        outcome = run_sessions(folder, keys, measurer.measure, arguments.parallel, interrupted, count)
        sessions = [folder.sessions[key] for key in keys if key in folder.sessions]
    summary = summarise_run(sessions, plan.tutors, plan.tasks)
    write_run_summary(arguments.out / SUMMARY, summary, about)
    return make_summary_tables(summary), outcome.wanted - outcome.done


def open_choosers(verifiers: Mapping[str, FoldedVerifier], candidates: int) -> dict[str, Tutor | InformedTutor]:
    """Tutors with the same candidates, by who chooses among them."""
    return {
        CHANCE: DrawingTutor(RandomChoice(), candidates, CHANCE),
        **{name: DrawingTutor(VerifiedChoice(each), candidates, name) for name, each in verifiers.items()},
        TRUE_STATE: InformedTutor(
            TRUE_STATE, lambda value: DrawingTutor(VerifiedChoice(value), candidates, TRUE_STATE)
        ),
    }


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
    parser.add_argument("--rounds", type=int, choices=range(1, 9), default=8, metavar="N", help="of a dialogue (8)")
    parser.add_argument("--parallel", type=int, default=2, metavar="N", help="sessions at a time (2)")
    return parser.parse_args(words)


if __name__ == "__main__":
    sys.exit(main())
