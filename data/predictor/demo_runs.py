"""The behaviour in a demo course's past and current run, simulated, to measure on."""

from dataclasses import dataclass

import numpy as np

from data.behaviour import Behaviour
from data.build.outline import outline
from data.cohort.demo import a_year_earlier, folder_of, load_demo
from data.cohort.simulate import Cohort
from data.features.weekly import weekly_features
from data.predictor.training import Passed
from data.schedule import Schedule, load_schedule


@dataclass(frozen=True, slots=True)
class Runs:
    """Both runs in the weeks that are over in the current one; of the current students nobody knows who passes.

    `current_passed` is only for looking how right predictions were.
    """

    past: Behaviour
    passed: Passed
    current: Behaviour
    current_passed: Passed


def demo_runs(course_id: str) -> Runs:
    """Simulated with the settings of data/cohort/demo.toml, as `scribe courses demo` does; raises BundleError."""
    demo, folder = load_demo(course_id), folder_of(course_id)
    course, schedule = outline(folder), load_schedule(folder)
    past, current = demo.past(course, schedule), demo.current(course, schedule)
    before = _behaviour(past, a_year_earlier(schedule), course.weeks_done)
    now = _behaviour(current, schedule, course.weeks_done)
    return Runs(before, _passed(past), now, _passed(current))


def _behaviour(run: Cohort, schedule: Schedule, weeks: int) -> Behaviour:
    table = weekly_features(run.events.lazy(), schedule, weeks)
    return Behaviour.of(table, tuple(run.passed), weeks)


def _passed(run: Cohort) -> Passed:
    return np.array(list(run.passed.values()))
