"""`scribe courses …`: list, check, begin and build course bundles, and simulate the demo courses."""

import argparse
import dataclasses
import sys
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from pathlib import Path

from app.commands import BAD_INPUT
from app.commands.arguments import add_subcommand, parse_count, parse_day, parse_whole
from data import bundle
from data.build.learning import LearningConfig
from data.build.run import BuildResult, BuildSettings, build_bundle, build_demo
from data.build.sources import BuildSources, EarlierRun
from data.build.writing import WriteReport
from data.cohort.demo import list_demos, simulate_demo
from data.course import BrokenBundle, BundleError, Course, Problem, Student
from data.events.formats import FORMATS, guess_format
from data.events.reading import LogCounts
from data.predictor.training import Training
from data.reports import llm
from scribe.backend import Backend, Sampling
from scribe.messages import Message
from scribe.plumbing.errors import UsageError
from scribe.plumbing.progress import show_progress
from scribe.plumbing.signals import clean_up_when_ended
from tools.assembly.assistant import locate_courses
from tools.assembly.model import MakeBackend
from tools.assembly.settings import AssistantSettings

TEMPERATURE = 0.5
"""As in the published recipe: enough that two students with the same findings read different letters."""
READY = "Are you there? Answer with one word."
LONGEST = 1500
"""Tokens of a turn; the analysis is longer than the letter."""
THREADS = 4
"""Reports that an LLM is asked for at the same time."""
SHOWN = 10
"""Skipped rows that the summary shows."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    under = parser.add_subparsers(required=True, metavar="COMMAND")
    add_subcommand(under, "list", "list the courses there are", run_list)
    check = add_subcommand(under, "check", "check every file of a bundle", run_check)
    check.add_argument("course", metavar="FOLDER_OR_ID", help="a bundle's folder, or the name of a course")
    new = add_subcommand(under, "new", "write a new course to fill in", run_new)
    new.add_argument("name", metavar="NAME", help="its id, such as dsp-2")
    new.add_argument("--folder", type=Path, metavar="DIR", help="where to (default: beside the other courses)")
    new.add_argument("--language", choices=("en", "fr"), default="en", help="of the course (default: en)")
    new.add_argument("--weeks", type=parse_count, default=10, metavar="N", help="how many (default: 10)")
    build = add_subcommand(under, "build", "build a course's data from event logs", run_build)
    add_build_arguments(build)
    simulate = add_subcommand(under, "simulate", "write the logs of a demo course's students", run_simulate)
    simulate.add_argument("course", metavar="ID", help="a demo course")
    simulate.add_argument("--out", type=Path, required=True, metavar="DIR", help="the folder to write to")
    demo = add_subcommand(under, "demo", "simulate and build the demo courses", run_demo)
    demo.add_argument("courses", nargs="*", metavar="ID", help="which (default: all)")


def run_list(arguments: argparse.Namespace, settings: AssistantSettings, make: MakeBackend) -> int:
    folder = locate_courses(settings)
    found = bundle.list_courses(folder)
    if not found:
        raise UsageError(f"there is no course in {folder}; `scribe courses new NAME` writes one to fill in")
    lines = [_describe(folder / course_id) for course_id in found]
    for course_id, (line, _) in zip(found, lines, strict=True):
        print(f"{course_id:<12}{line}")
    return 0 if all(right for _, right in lines) else BAD_INPUT


def _describe(folder: Path) -> tuple[str, bool]:
    try:
        if not bundle.has_students(folder):
            course, _ = bundle.load_material(folder)
            return f"{course.title}, no students yet: `scribe courses build --course {folder}` adds them", True
        course = bundle.load(folder)
    except BrokenBundle:
        return f"broken: `scribe courses check {folder}` says where", False
    done = f"{course.weeks_done} of {course.weeks} weeks passed"
    return f"{course.title}, {done}, {len(course.students)} students", True


def run_check(arguments: argparse.Namespace, settings: AssistantSettings, make: MakeBackend) -> int:
    folder = locate_course(arguments.course, settings)
    complete = bundle.has_students(folder) or not (folder / "course.toml").exists()
    problems = bundle.check(folder) if complete else _check_material(folder)
    for problem in problems:
        print(problem)
    if problems:
        print(f"{folder}: {len(problems)} problem{'s' if len(problems) > 1 else ''}", file=sys.stderr)
        return BAD_INPUT
    rest = _count_reports(folder) if complete else " in the material; there are no students yet"
    print(f"{folder}: no problems{rest}")
    return 0


def _count_reports(folder: Path) -> str:
    """What to add where students have no report, which is allowed: they can ask nothing."""
    students = bundle.load(folder).students
    without = [student for student, kept in students.items() if not kept.reports]
    some = ", ".join(without[:SHOWN]) + (", …" if len(without) > SHOWN else "")
    return f"; {len(without)} of {len(students)} students have no report: {some}" if without else ""


def _check_material(folder: Path) -> list[Problem]:
    try:
        bundle.load_material(folder)
    except BrokenBundle as error:
        return list(error.problems)
    return []


def run_new(arguments: argparse.Namespace, settings: AssistantSettings, make: MakeBackend) -> int:
    from data.scaffold.write import new_course

    courses: Path = arguments.folder or locate_courses(settings)
    folder = courses / arguments.name
    next_monday = date.today() + timedelta(days=7 - date.today().weekday())
    for path in new_course(arguments.name, courses, next_monday, arguments.language, arguments.weeks):
        print(path)
    print(f"""
Fill these in; the comments say how. Then:
  scribe courses check {folder}
  scribe courses build --course {folder} --events LOG… --grades grades.csv \\
      --past-events LOG… --past-outcomes outcomes.csv""")
    return 0


def add_build_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--course", required=True, metavar="FOLDER_OR_ID", help="the course with its schedule.toml")
    parser.add_argument("--out", type=Path, metavar="DIR", help="the bundle's folder (default: the course's own)")
    now = parser.add_argument_group("the current run")
    now.add_argument("--events", type=Path, nargs="+", required=True, metavar="LOG", help="plain or gz")
    now.add_argument("--grades", type=Path, required=True, metavar="CSV", help="student,item,score; who is enrolled")
    past = parser.add_argument_group("an earlier run, to learn from")
    past.add_argument("--past-events", type=Path, nargs="+", required=True, metavar="LOG")
    past.add_argument("--past-outcomes", type=Path, required=True, metavar="CSV", help="student,outcome (pass or fail)")
    past.add_argument(
        "--past-start", type=parse_day, metavar="DATE", help="its first Monday (default: 52 weeks before)"
    )
    logs = parser.add_argument_group("the logs")
    logs.add_argument("--source", choices=tuple(FORMATS), help="default: as the files' names say")
    zone = "of the times in Moodle's logs (default: the schedule's); edX logs and parquet are in UTC"
    logs.add_argument("--timezone", metavar="ZONE", help=zone)
    bad = "bad lines of logs and rows of tables to skip, in all (default: 100 lines of logs, no row)"
    logs.add_argument("--max-errors", type=parse_whole, metavar="N", help=bad)
    learning = parser.add_argument_group("the predictor")
    learning.add_argument("--folds", type=parse_count, default=5, metavar="N", help="parts to test it on (default: 5)")
    learning.add_argument("--epochs", type=parse_count, metavar="N", help="longest training (default: 40)")
    learning.add_argument("--seed", type=parse_whole, default=0, metavar="N")
    reports = parser.add_argument_group("the reports", "composed of our own sentences, unless")
    reports.add_argument("--llm", action="store_true", help="by a model behind an OpenAI-compatible API, then checked")
    reports.add_argument("--base-url", metavar="URL", help="its address")
    reports.add_argument("--model", metavar="NAME", help="its name there")


def run_build(arguments: argparse.Namespace, settings: AssistantSettings, make: MakeBackend) -> int:
    folder, how = locate_course(arguments.course, settings), choose_build(arguments, settings, make)
    with clean_up_when_ended(), show_progress() as on_progress:
        built = build_bundle(folder, choose_sources(arguments), arguments.out, how, on_progress)
    print(summarise(built))
    return 0


def run_simulate(arguments: argparse.Namespace, settings: AssistantSettings, make: MakeBackend) -> int:
    with clean_up_when_ended(), show_progress() as on_progress:
        files = simulate_demo(arguments.course, arguments.out, on_progress)
    for path in files:
        print(path)
    return 0


def run_demo(arguments: argparse.Namespace, settings: AssistantSettings, make: MakeBackend) -> int:
    for course in arguments.courses or list_demos():
        with clean_up_when_ended(), show_progress() as on_progress:
            built = build_demo(course, locate_courses(settings), on_progress)
        print(summarise(built), end="\n\n")
    return 0


def locate_course(course: str, settings: AssistantSettings) -> Path:
    """The folder that a path or the name of a course means; raises BundleError if there is none."""
    path, named = Path(course), locate_courses(settings) / course
    for folder in (path, named):
        if (folder / "course.toml").exists():
            return folder
    if path.is_dir():
        return path
    raise BundleError(f"{course}: is neither a course's folder nor the name of one in {named.parent}")


def choose_sources(arguments: argparse.Namespace) -> BuildSources:
    """The files that the arguments name; raises BundleError if it is not clear what the logs are."""
    past = EarlierRun(arguments.past_events, arguments.past_outcomes, arguments.past_start)
    form = arguments.source or guess_format([*arguments.events, *arguments.past_events])
    return BuildSources(arguments.events, arguments.grades, past, form, arguments.timezone)


def choose_build(arguments: argparse.Namespace, settings: AssistantSettings, make: MakeBackend) -> BuildSettings:
    training = Training() if arguments.epochs is None else Training(epochs=arguments.epochs)
    learning = LearningConfig(arguments.folds, training, arguments.seed)
    how = BuildSettings(max_errors=arguments.max_errors, learning=learning)
    if not arguments.llm:
        return how
    chosen = settings.with_changes("model", backend="api", path=arguments.model, base_url=arguments.base_url)
    return dataclasses.replace(how, write=write_by_llm(make(chosen), arguments.seed), threads=THREADS)


def write_by_llm(backend: Backend, seed: int) -> WriteReport:
    """A writer of reports that asks this model, and does so once at once. Raises BackendError, as the writer does."""
    # Before minutes are spent on predictions that nobody could then write about.
    backend.complete([Message("user", READY)], Sampling(max_tokens=16))
    sampling = Sampling(TEMPERATURE, seed=seed, max_tokens=LONGEST)

    def say(talk: Sequence[Message]) -> str:
        return backend.complete(talk, sampling).text

    def write(course: Course, student: Student, theory: str) -> tuple[str, str]:
        return llm.write_by_llm(say, course, student, theory)

    return write


def summarise(built: BuildResult) -> str:
    return "\n".join(_list_lines(built))


def _list_lines(built: BuildResult) -> Iterator[str]:
    record = built.record
    yield f"{record.course}: weeks 1 to {record.weeks}, written to {built.folder}"
    yield _line("students", f"{record.students}, of whom {record.predicted_to_pass} are predicted to pass")
    for run, counts in record.logs.items():
        yield _line(run, _describe_clicks(counts))
    yield _line("features", f"{len(record.features)} are read: {', '.join(record.features)}")
    quality = record.quality
    yield _line("predictor", f"tested on {quality.students} students of the earlier run ({quality.passed:.0%} passed)")
    yield from (f"  {line}" for line in quality.table().splitlines())
    yield _line("explained", f"{record.explained} of {record.students} predictions")
    written = ", ".join(f"{count} {source}" for source, count in record.reports.items())
    yield _line("reports", f"{written}, each checked against the student's data")
    if record.skipped_rows:
        yield _line("skipped", f"{record.skipped_rows} bad lines or rows")
        yield from (f"  {problem}" for problem in built.skipped[:SHOWN])
    steps = ", ".join(f"{name} {seconds:.1f}" for name, seconds in built.seconds.items())
    yield _line("seconds", f"{sum(built.seconds.values()):.0f} in all: {steps}")


def _line(subject: str, text: str) -> str:
    return f"{subject:<13}{text}"


def _describe_clicks(counts: LogCounts) -> str:
    left_out = {
        "duplicates": counts.duplicates,
        "malformed": counts.malformed,
        "by nobody": counts.nobody,
        "of unknown kinds": sum(counts.unknown.values()),
        "outside these weeks": counts.outside,
        f"by {counts.others} who are not enrolled": counts.others_clicks,
    }
    parts = [f"{number:,} {what}" for what, number in left_out.items() if number]
    told = f"{counts.used:,} clicks used of {counts.rows:,} rows"
    told += f" (left out: {', '.join(parts)})" if parts else ""
    return f"{told}; {counts.silent} students without any" if counts.silent else told
