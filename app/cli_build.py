"""`scribe courses build`, `simulate` and `demo`: from event logs to course data."""

import argparse
import dataclasses

from app import build, building, letters
from app.cli_courses import course_folder
from app.ending import cleaning_up
from app.settings import Settings
from data.build.learning import LearningConfig
from data.build.run import BuildSettings, build_bundle, build_demo
from data.build.sources import BuildSources, EarlierRun, guess_format
from data.cohort.demo import list_demos, simulate_demo
from data.predictor.training import Training
from scribe.plumbing.progress import show_progress

MAKE = build.MakeBackend | None
THREADS = 4
"""Reports that an LLM is asked for at the same time."""


def run(arguments: argparse.Namespace, settings: Settings, make: MAKE) -> int:
    """Build a course's bundle, and say what came of it."""
    folder, how = course_folder(arguments.course, settings), asked(arguments, settings, make)
    with cleaning_up(), show_progress() as tell:
        built = build_bundle(folder, sources(arguments), arguments.out, how, tell)
    print(building.summary(built))
    return 0


def simulate(arguments: argparse.Namespace, settings: Settings, make: MAKE) -> int:
    """Write the logs, grades and outcomes of a demo course's simulated students."""
    with cleaning_up(), show_progress() as tell:
        files = simulate_demo(arguments.course, arguments.out, tell)
    for path in files:
        print(path)
    return 0


def demo(arguments: argparse.Namespace, settings: Settings, make: MAKE) -> int:
    """Simulate and build the demo courses."""
    for course in arguments.courses or list_demos():
        with cleaning_up(), show_progress() as tell:
            built = build_demo(course, build.courses_folder(settings), tell)
        print(building.summary(built), end="\n\n")
    return 0


def sources(arguments: argparse.Namespace) -> BuildSources:
    """The files that the arguments name; raises BundleError if it is not clear what the logs are."""
    past = EarlierRun(arguments.past_events, arguments.past_outcomes, arguments.past_start)
    form = arguments.source or guess_format([*arguments.events, *arguments.past_events])
    return BuildSources(arguments.events, arguments.grades, past, form, arguments.timezone)


def asked(arguments: argparse.Namespace, settings: Settings, make: MAKE) -> BuildSettings:
    """How to build, as the arguments say."""
    training = Training() if arguments.epochs is None else Training(epochs=arguments.epochs)
    learning = LearningConfig(arguments.folds, training, arguments.seed)
    how = BuildSettings(max_errors=arguments.max_errors, learning=learning)
    if not arguments.llm:
        return how
    chosen = settings.changed("model", backend="api", path=arguments.model, base_url=arguments.base_url)
    write = letters.by_llm((make or build.backend)(chosen), arguments.seed)
    return dataclasses.replace(how, write=write, threads=THREADS)
