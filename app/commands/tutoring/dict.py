"""`scribe dict`: measure tutors by what their simulated students can write afterwards; run again, it goes on.

Exit codes: 0 every session is there, 2 refused, 3 some are missing (failed, or not begun), 130 interrupted. After 3 and
130 the same command goes on where it was.
"""

import argparse
import contextlib
from collections import Counter
from pathlib import Path

from app.commands import INTERRUPTED, UNRESOLVED
from app.commands.arguments import add_model, choose_model, parse_amount, parse_count, parse_whole
from app.commands.tutoring.describing import describe_run
from app.commands.tutoring.opening import NAMES, list_tutors, open_tutors
from data.tasks.brief import CODES, make_brief
from data.tasks.reading import TASKS, find_task, list_tasks
from eval.tutoring.metrics.summary import SUMMARY, make_summary_tables, summarise_run, write_run_summary
from eval.tutoring.page.page import WORST, build_page, write_tutoring_page
from eval.tutoring.page.worst import TaskWords
from eval.tutoring.programs.tester import ProgramTester
from eval.tutoring.protocol.measuring import SessionMeasurer
from eval.tutoring.protocol.plan import MeasurementPlan
from eval.tutoring.protocol.record import SessionKey
from eval.tutoring.protocol.run import PROGRAMS, Measure, MeasurementFolder, RunOutcome, run_sessions
from eval.tutoring.students.learning import Listening
from scribe.plumbing.errors import UsageError
from scribe.plumbing.progress import show_progress
from scribe.plumbing.signals import notice_interruption
from scribe.tutor.methods.traver import CANDIDATES
from scribe.tutor.session import MAX_ROUNDS, Language
from tools.assembly.model import MakeBackend, make_embedder
from tools.assembly.settings import AssistantSettings

LANGUAGES: dict[str, Language] = {code: language for language, code in CODES.items()}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--tutor", nargs="+", required=True, choices=tuple(NAMES), metavar="NAME", help=_list_names())
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="index.html, sessions …")
    parser.add_argument("--tasks", nargs="+", default=[], metavar="ID", help="only these (default: all there are)")
    parser.add_argument("--tasks-folder", type=Path, default=TASKS, metavar="DIR", help="where the tasks lie")
    who = "knowledge: known knowledge, no model; model: played by one (default: knowledge)"
    parser.add_argument("--students", choices=("knowledge", "model"), default="knowledge", help=who)
    parser.add_argument("--language", choices=tuple(LANGUAGES), default="en", help="of the dialogues (default: en)")
    parser.add_argument("--seeds", type=parse_count, default=1, metavar="N", help="students of each level (default: 1)")
    many = "programs of a coding test (default: 10)"
    parser.add_argument("--attempts", type=parse_count, default=10, metavar="N", help=many)
    rounds = f"rounds of a dialogue at most (default: {MAX_ROUNDS})"
    parser.add_argument("--rounds", type=parse_count, default=MAX_ROUNDS, metavar="N", help=rounds)
    parser.add_argument("--parallel", type=parse_count, default=2, metavar="N", help="sessions at a time (default: 2)")
    shown = f"dialogues of each tutor that the page shows in full (default: {WORST})"
    parser.add_argument("--worst", type=parse_whole, default=WORST, metavar="N", help=shown)
    add_tutor_arguments(parser)
    add_model(parser)
    ray = parser.add_argument_group("machines")
    ray.add_argument("--engine", choices=("local", "ray"), default="local", help="threads here, or a Ray cluster")
    ray.add_argument("--ray-address", default="", metavar="HOST:PORT", help="or auto; none starts Ray on this machine")
    ray.add_argument("--ray-workers", type=parse_count, default=0, metavar="N", help="workers in the cluster; as fit")
    ray.add_argument("--ray-cpus", type=parse_amount, default=1.0, metavar="N", help="CPUs of a worker")
    ray.add_argument("--ray-gpus", type=parse_amount, default=0.0, metavar="N", help="GPUs of a worker")


def add_tutor_arguments(parser: argparse.ArgumentParser) -> None:
    """What tutors rest on beside the model."""
    parts = parser.add_argument_group("tutors")
    parts.add_argument("--tracer", type=Path, metavar="FILE", help="a trained tracer (default: ours)")
    parts.add_argument("--verifier", type=Path, metavar="PATH", help="a trained verifier (default: ours)")
    parts.add_argument("--verifier-base", type=Path, metavar="DIR", help="the model under it (default: ours)")
    many = f"turns to choose among (default: {CANDIDATES}); of several numbers each is measured, as traver@5"
    parts.add_argument("--candidates", type=parse_count, nargs="+", default=[CANDIDATES], metavar="N", help=many)


def run(arguments: argparse.Namespace, settings: AssistantSettings, make: MakeBackend) -> int:
    if arguments.rounds > MAX_ROUNDS:
        raise UsageError(f"--rounds {arguments.rounds}: curves have room for {MAX_ROUNDS}")
    chosen = choose_model(settings, arguments).with_changes("model", parallel=arguments.parallel)
    plan = make_plan(arguments)
    made = open_tutors(arguments, chosen, make, plan)
    about = describe_run(arguments, plan, made.info)
    keys = list(plan.list_keys())
    with MeasurementFolder(arguments.out, about) as folder:
        tester = ProgramTester(arguments.out / PROGRAMS)
        with contextlib.ExitStack() as held:
            if arguments.engine == "ray":
                from app.commands.tutoring.cluster import RayMeasuring  # few have Ray

                cluster = RayMeasuring(arguments, chosen, make, plan, tester, about)
                held.callback(cluster.close)
                measure, parallel = cluster.measure, cluster.workers
            else:
                students = made.backend if plan.students == "model" else None
                listening = Listening(embedder=make_embedder(settings))
                where = arguments.tasks_folder
                measurer = SessionMeasurer(plan, made.tutors, tester, listening, students, where)
                measure, parallel = measurer.measure, arguments.parallel
            outcome = _run_shown(folder, keys, measure, parallel)
        sessions = [folder.sessions[key] for key in keys if key in folder.sessions]
        summary = summarise_run(sessions, plan.tutors, plan.tasks)
        write_run_summary(arguments.out / SUMMARY, summary, about)
        others = Counter(key.tutor for key in folder.sessions.keys() - set(keys))
        page = build_page(plan, outcome, sessions, summary, _name_tasks(arguments, plan), arguments.worst, others)
        path = write_tutoring_page(arguments.out, page)
    for table in make_summary_tables(summary):
        print(f"{table.markdown()}\n")
    return _tell(outcome, path)


def _name_tasks(arguments: argparse.Namespace, plan: MeasurementPlan) -> dict[str, TaskWords]:
    """What the page calls tasks and their components, in the dialogues' language."""
    briefs = (make_brief(find_task(name, arguments.tasks_folder), plan.language) for name in plan.tasks)
    return {each.task: TaskWords(each.title, {part.name: part.text for part in each.components}) for each in briefs}


def _run_shown(folder: MeasurementFolder, keys: list[SessionKey], measure: Measure, parallel: int) -> RunOutcome:
    """The run, with a bar on the terminal; Ctrl-C ends it between sessions."""
    with notice_interruption() as interrupted, show_progress() as on_progress:

        def show(done: int, total: int) -> None:
            on_progress("tutoring", done, total)

        return run_sessions(folder, keys, measure, parallel, interrupted, show)


def make_plan(arguments: argparse.Namespace) -> MeasurementPlan:
    """Which sessions are wanted. Raises UsageError for a task that is not there, BundleError for a broken one."""
    there = list_tasks(arguments.tasks_folder)
    unknown = [name for name in arguments.tasks if name not in there]
    if unknown or not there:
        named = ", ".join(unknown) or "any"
        raise UsageError(f"no task {named} in {arguments.tasks_folder}; there are {', '.join(there) or 'none'}")
    tutors = tuple(list_tutors(arguments.tutor, arguments.candidates))
    tasks = tuple(dict.fromkeys(arguments.tasks)) or tuple(there)
    language = LANGUAGES[arguments.language]
    numbers = arguments.seeds, arguments.attempts, arguments.rounds
    return MeasurementPlan(tutors, tasks, arguments.students, language, *numbers)


def _list_names() -> str:
    return "; ".join(f"{name}: {each.what}" for name, each in NAMES.items())


def _tell(outcome: RunOutcome, page: Path) -> int:
    missing = outcome.wanted - outcome.done
    print(f"{outcome.done} of {outcome.wanted} sessions; the page on them is {page}")
    for trouble, count in sorted(outcome.failed.items(), key=lambda each: -each[1]):
        print(f"{count} failed: {trouble}")
    if missing:
        print("run the same again to go on")
    if outcome.state == "interrupted":
        return INTERRUPTED
    return UNRESOLVED if missing else 0
