"""`scribe courses build`, `simulate` and `demo`: from event logs to course data."""

import argparse

from app import build, building, letters
from app.cli_courses import course_folder
from app.ending import cleaning_up
from app.settings import Settings
from data.build.learning import Lesson
from data.build.reporting import Writing
from data.build.run import Settings as BuildSettings
from data.build.run import build as build_bundle
from data.build.sources import Past, Sources, guess_format
from data.bundle_cohort import THEORIES
from data.predictor.training import Training
from scribe.plumbing.progress import show_progress

MAKE = build.MakeBackend | None
AT_ONCE = 4
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
    from data.build.demo import simulated

    with cleaning_up(), show_progress() as tell:
        files = simulated(arguments.course, arguments.out, tell)
    for path in files:
        print(path)
    return 0


def demo(arguments: argparse.Namespace, settings: Settings, make: MAKE) -> int:
    """Simulate and build the demo courses."""
    from data.build.demo import built_demo, demos

    for course in arguments.courses or demos():
        with cleaning_up(), show_progress() as tell:
            built = built_demo(course, build.courses_folder(settings), tell)
        print(building.summary(built), end="\n\n")
    return 0


def sources(arguments: argparse.Namespace) -> Sources:
    """The files that the arguments name; raises BundleError if it is not clear what the logs are."""
    past = Past(arguments.past_events, arguments.past_outcomes, arguments.past_start)
    form = arguments.source or guess_format([*arguments.events, *arguments.past_events])
    return Sources(arguments.events, arguments.grades, past, form, arguments.timezone)


def asked(arguments: argparse.Namespace, settings: Settings, make: MAKE) -> BuildSettings:
    """How to build, as the arguments say."""
    training = Training() if arguments.epochs is None else Training(epochs=arguments.epochs)
    writing = _by_llm(arguments, settings, make) if arguments.llm else Writing(THEORIES)
    lesson = Lesson(arguments.folds, training, arguments.seed)
    return BuildSettings(max_errors=arguments.max_errors, lesson=lesson, writing=writing)


def _by_llm(arguments: argparse.Namespace, settings: Settings, make: MAKE) -> Writing:
    """Reports by the model that the arguments name, or the settings."""
    chosen = settings.changed("model", backend="api", path=arguments.model, base_url=arguments.base_url)
    return Writing(THEORIES, letters.by_llm((make or build.backend)(chosen), arguments.seed), AT_ONCE)
