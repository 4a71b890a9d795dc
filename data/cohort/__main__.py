"""Write a past and a current run of a demo course: `python -m data.cohort dsp --out DIR`.

events.parquet and grades.csv are of the current run, past-events.parquet and past-outcomes.csv of the one a year
before. The same settings write the same files.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from rich.progress import Progress

from data.build.outline import outline
from data.cohort.demo import SETTINGS, folder_of, load_demo
from data.cohort.files import write_events, write_grades, write_outcomes
from data.course import BundleError
from data.schedule import load_schedule


def write(course_id: str, out: Path, settings: Path = SETTINGS) -> None:
    """Simulate both runs of a course, write their files and say what they hold; raises BundleError, OSError."""
    demo, folder = load_demo(course_id, settings), folder_of(course_id)
    course, schedule = outline(folder), load_schedule(folder)
    out.mkdir(parents=True, exist_ok=True)
    with Progress(transient=True) as bar:
        past_task, current_task = bar.add_task("past run"), bar.add_task("current run")
        past = demo.past(course, schedule, lambda done, of: bar.update(past_task, completed=done, total=of))
        current = demo.current(course, schedule, lambda done, of: bar.update(current_task, completed=done, total=of))
    write_events(out / "past-events.parquet", past.events)
    write_outcomes(out / "past-outcomes.csv", past)
    write_events(out / "events.parquet", current.events)
    write_grades(out / "grades.csv", current, course)
    for name, run in (("past", past), ("current", current)):
        share = sum(run.passed.values()) / len(run.passed)
        print(f"{course.id}, {name} run: {len(run.passed)} students, {run.events.height:,} events, {share:.0%} pass")


def main(arguments: Sequence[str] | None = None) -> int:
    """Write one course's runs; 1 if that was not possible."""
    parser = argparse.ArgumentParser(
        prog="python -m data.cohort", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("course", help="dsp, geo, va or lnv")
    parser.add_argument("--out", type=Path, required=True, help="the folder to write to")
    parser.add_argument("--settings", type=Path, default=SETTINGS, help="another file like data/cohort/demo.toml")
    given = parser.parse_args(arguments)
    try:
        write(given.course, given.out, given.settings)
    except (BundleError, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
