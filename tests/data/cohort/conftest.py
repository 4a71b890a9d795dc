"""One simulated cohort of the signal processing course, with everything recorded, for all tests."""

import pytest

from data.build.outline import outline
from data.cohort.demo import folder_of
from data.cohort.simulate import Cohort, Recorded, simulate
from data.course import Course
from data.events.schema import Kind
from data.schedule import Schedule, load_schedule

EVERYTHING = Recorded(frozenset(Kind), marks=True)


@pytest.fixture(scope="session")
def course() -> Course:
    return outline(folder_of("dsp"))


@pytest.fixture(scope="session")
def schedule() -> Schedule:
    return load_schedule(folder_of("dsp"))


@pytest.fixture(scope="session")
def cohort(course: Course, schedule: Schedule) -> Cohort:
    return simulate(course, schedule, EVERYTHING, seed=5, count=200)
