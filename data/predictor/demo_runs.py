"""The behaviour in a demo course's past and current run, simulated, to measure on."""

import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from data.behaviour import Behaviour
from data.build.learning import comparable
from data.build.logs import read_log
from data.build.measuring import Run, behaviour_in
from data.build.outline import outline
from data.build.steps import Steps
from data.build.tolerance import Tolerance
from data.cohort.demo import SETTINGS, a_year_earlier, folder_of, load_demo
from data.cohort.files import write_events
from data.cohort.simulate import Cohort
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


def demo_runs(course_id: str, settings: Path = SETTINGS) -> Runs:
    """Simulated, by default with the settings of the demo courses; raises BundleError.

    Written to files and measured by the functions of a build, students in its order: so the figures taken
    here are those of the bundles.
    """
    demo, folder = load_demo(course_id, settings), folder_of(course_id)
    course, schedule = outline(folder), load_schedule(folder)
    past, current = demo.past(course, schedule), demo.current(course, schedule)
    before = _behaviour("earlier run", past, a_year_earlier(schedule), course.weeks_done)
    now = _behaviour("current run", current, schedule, course.weeks_done)
    before, now = comparable(before, now)
    return Runs(before, _passed(past, before), now, _passed(current, now))


def _behaviour(name: str, cohort: Cohort, schedule: Schedule, weeks: int) -> Behaviour:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "events.parquet"
        write_events(path, cohort.events)
        log, counts = read_log([path], "parquet", schedule.timezone, path, Tolerance(), lambda done, total: None)
        run = Run(name, schedule, sorted(cohort.passed), [path])
        return behaviour_in(log, counts, run, weeks, Steps())[0]


def _passed(cohort: Cohort, behaviour: Behaviour) -> Passed:
    return np.array([cohort.passed[student] for student in behaviour.students])
