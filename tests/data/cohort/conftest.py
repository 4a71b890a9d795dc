"""One simulated cohort of the signal processing course, with everything recorded, for all tests."""

import pytest

from data.bundle import COURSES, load_material
from data.cohort.simulate import Cohort, simulate_cohort
from data.course import Course
from data.schedule import Schedule

STUDENTS = [f"s{number:03}" for number in range(1, 201)]


@pytest.fixture(scope="session")
def course() -> Course:
    return load_material(COURSES / "dsp")[0]


@pytest.fixture(scope="session")
def schedule() -> Schedule:
    return load_material(COURSES / "dsp")[1]


@pytest.fixture(scope="session")
def cohort(course: Course, schedule: Schedule) -> Cohort:
    return simulate_cohort(course, schedule, 5, STUDENTS)
