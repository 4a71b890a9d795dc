"""The demo courses' settings, and the files of their runs."""

import csv
from collections import Counter
from pathlib import Path

import polars as pl
import pytest

from data.bundle import COURSES, load_material
from data.cohort.demo import FILES, list_demos, load_demo, simulate_demo
from data.course import BundleError, Course
from data.events.schema import SCHEMA, Kind
from data.schedule import Schedule, shift_schedule

FEW = """
[dsp]
seed = 1
students = 4
past_seed = 2
past_students = 6
kinds = ["video.load", "problem.check", "page.view"]
marks = true
difficulty = 0.4
"""


@pytest.fixture
def few(tmp_path: Path) -> Path:
    path = tmp_path / "few.toml"
    path.write_text(FEW, encoding="utf-8")
    return path


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("course_id", ["dsp", "geo", "va", "lnv"])
def test_a_schedule_offers_what_the_plan_says(course_id: str) -> None:
    course, schedule = load_material(COURSES / course_id)
    assert schedule.weeks == course.weeks and schedule.timezone == "Europe/Zurich"
    offered = Counter((item.kind, item.week) for item in schedule.items)
    for week in course.plan:
        assert offered["problem", week.number] == week.quizzes
        assert 4 <= offered["video", week.number] <= 9
    lengths = [item.minutes for item in schedule.items if item.kind == "video"]
    assert min(lengths) >= 5 and max(lengths) <= 18


@pytest.mark.parametrize("course_id", ["dsp", "geo", "va", "lnv"])
def test_each_demo_has_settings_of_its_own_seed(course_id: str) -> None:
    demo = load_demo(course_id)
    assert (demo.students, demo.past_students) == (300, 1500)
    assert demo.seed != demo.past_seed
    assert demo.marks == (course_id != "va")
    assert (demo.kinds == "all" or Kind.VIDEO_PLAY in demo.kinds) == (course_id != "dsp")


def test_a_year_earlier_is_the_same_course_on_the_same_weekdays(schedule: Schedule) -> None:
    before = shift_schedule(schedule)
    assert (before.start.year, before.start.weekday()) == (schedule.start.year - 1, 0)
    for old, new in zip(before.items, schedule.items, strict=True):
        assert (old.id, old.minutes) == (new.id, new.minutes)
        assert (new.released - old.released).days == 364
        assert (new.due is None) == (old.due is None)


def test_a_demo_writes_both_runs(few: Path, tmp_path: Path, course: Course, schedule: Schedule) -> None:
    out = tmp_path / "out"
    assert simulate_demo("dsp", out, settings=few) == tuple(out / name for name in FILES)
    assert {path.name for path in out.iterdir()} == set(FILES)
    now, past = pl.read_parquet(out / "events.parquet"), pl.read_parquet(out / "past-events.parquet")
    assert now.schema == past.schema == SCHEMA
    assert set(now["kind"]) == {"video.load", "problem.check", "page.view"}
    assert schedule.week_of(now["time"].min()) == 1  # type: ignore[arg-type]
    assert shift_schedule(schedule).week_of(past["time"].min()) == 1  # type: ignore[arg-type]
    outcomes = rows(out / "past-outcomes.csv")
    assert [row["student"] for row in outcomes] == [f"p00{number}" for number in range(1, 7)]
    assert {row["outcome"] for row in outcomes} <= {"pass", "fail"}
    done = {item.id: item for item in course.grading if item.week <= course.weeks_done}
    grades = rows(out / "grades.csv")
    assert len(grades) == 4 * len(done) and {row["item"] for row in grades} == set(done)
    assert all(row["score"] == "" or 0 <= float(row["score"]) <= done[row["item"]].max_points for row in grades)


def test_the_same_settings_write_the_same_bytes(few: Path, tmp_path: Path) -> None:
    for name in ("one", "two"):
        simulate_demo("dsp", tmp_path / name, settings=few)
    for path in (tmp_path / "one").iterdir():
        assert path.read_bytes() == (tmp_path / "two" / path.name).read_bytes(), path.name


def test_a_file_that_cannot_be_replaced_is_named_and_leaves_nothing_half_written(few: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    (out / "events.parquet" / "in the way").mkdir(parents=True)
    with pytest.raises(BundleError, match=r"out/events\.parquet: cannot be written"):
        simulate_demo("dsp", out, settings=few)
    assert not list(out.glob(".*"))


def test_an_unknown_course_is_told_with_those_there_are(tmp_path: Path) -> None:
    with pytest.raises(BundleError, match=r"no course 'chemistry'; it has dsp, geo"):
        simulate_demo("chemistry", tmp_path / "out")
    assert not (tmp_path / "out").exists()
    assert set(list_demos()) == {"dsp", "geo", "va", "lnv"}
