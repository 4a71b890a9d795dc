"""The demo courses: their students are simulated, everything else goes the way of any course."""

import tempfile
import tomllib
from pathlib import Path

from data.build.outline import outline
from data.build.run import Built, Settings, build
from data.build.sources import Past, Sources
from data.build.steps import Steps, Tell, silent
from data.cohort.demo import SETTINGS, folder_of, load_demo
from data.cohort.files import write_events, write_grades, write_outcomes
from data.course import BundleError
from data.schedule import load_schedule

EVENTS, GRADES, PAST_EVENTS, PAST_OUTCOMES = FILES = (
    "events.parquet",
    "grades.csv",
    "past-events.parquet",
    "past-outcomes.csv",
)


def demos() -> tuple[str, ...]:
    """The ids of the demo courses."""
    return tuple(tomllib.loads(SETTINGS.read_text(encoding="utf-8")))


def simulated(course_id: str, out: Path, tell: Tell = silent) -> tuple[Path, ...]:
    """Simulate both runs of a demo course into the folder `out`; returns the files. Raises BundleError."""
    steps, demo, folder = Steps(tell), load_demo(course_id), folder_of(course_id)
    course, schedule = outline(folder), load_schedule(folder)
    try:
        out.mkdir(parents=True, exist_ok=True)
        with steps.step("simulating the earlier run") as progress:
            past = demo.past(course, schedule, progress)
            write_events(out / PAST_EVENTS, past.events)
            write_outcomes(out / PAST_OUTCOMES, past)
        with steps.step("simulating the current run") as progress:
            current = demo.current(course, schedule, progress)
            write_events(out / EVENTS, current.events)
            write_grades(out / GRADES, current, course)
    except OSError as error:
        raise BundleError(f"{out}: cannot be written: {error.strerror or error}") from error
    return tuple(out / name for name in FILES)


def built_demo(course_id: str, root: Path, tell: Tell = silent, settings: Settings | None = None) -> Built:
    """Simulate a demo course and build its bundle in `root`. Raises BundleError."""
    folder = folder_of(course_id)
    with tempfile.TemporaryDirectory() as work:
        events, grades, past_events, outcomes = simulated(course_id, Path(work), tell)
        sources = Sources([events], grades, Past([past_events], outcomes), "parquet")
        return build(folder, sources, root / course_id, settings or Settings(), tell)
