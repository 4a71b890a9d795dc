"""A small course and two runs of it: students who study more, the more they care, and pass if they do."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

import polars as pl

from data.behaviour import Behaviour
from data.build.learning import LearningConfig
from data.build.run import BuildSettings
from data.build.sources import BuildSources, EarlierRun
from data.contrast.explain import Explanation
from data.events.schema import SCHEMA
from data.predictor.model import Predictor
from data.predictor.training import Training
from data.scaffold.write import new_course
from scribe.plumbing.progress import OnCount
from tests.data.events.written_logs import edx, write

START = date(2026, 9, 14)
WEEKS, DONE = 4, 2
TRAINING = Training(members=2, width=4, dropout=0.0, rate=0.03, batch=8, epochs=6, monotone=0.1)

Event = tuple[str, datetime, str, str, float | None]


def unexplained(
    predictor: Predictor, students: Behaviour, seen: Behaviour, on_count: OnCount
) -> tuple[Explanation, ...]:
    """In place of an explanation, which takes seconds: none was found for anybody."""
    return tuple(Explanation((), ()) for _ in students.students)


QUICK = BuildSettings(learning=LearningConfig(folds=2, training=TRAINING), explain=unexplained)


@dataclass(frozen=True, slots=True)
class SmallCourse:
    """The files of a small course: its folder, and what it is built from."""

    course: Path
    logs: Path

    @property
    def sources(self) -> BuildSources:
        """Everything as `lay_out` wrote it."""
        return self.with_logs("parquet", "events.parquet", "past.parquet")

    def with_logs(self, form: str, now: str, past: str) -> BuildSources:
        """The same with other logs."""
        earlier = EarlierRun([self.logs / past], self.logs / "outcomes.csv")
        return BuildSources([self.logs / now], self.logs / "grades.csv", earlier, form)


def lay_out(folder: Path, students: int = 24, past: int = 48) -> SmallCourse:
    """Write the course "tiny" and the files of two runs."""
    place = SmallCourse(folder / "courses" / "tiny", folder / "logs")
    new_course("tiny", folder / "courses", START, weeks=WEEKS)
    place.logs.mkdir()
    now, care = clicks("s", students, START)
    pl.DataFrame(now, SCHEMA, orient="row").write_parquet(place.logs / "events.parquet")
    rows = [f"{one},quiz-{week},{round(10 * care[one])}" for one in care for week in (1, 2)]
    table(place.logs / "grades.csv", "student,item,score", rows)
    before, cared = clicks("p", past, START - timedelta(weeks=52))
    pl.DataFrame(before, SCHEMA, orient="row").write_parquet(place.logs / "past.parquet")
    outcomes = [f"{one},{'pass' if share > 0.45 else 'fail'}" for one, share in cared.items()]
    table(place.logs / "outcomes.csv", "student,outcome", outcomes)
    return place


def table(path: Path, header: str, rows: Iterable[str]) -> Path:
    """Write a CSV file."""
    path.write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")
    return path


def clicks(prefix: str, count: int, start: date) -> tuple[list[Event], dict[str, float]]:
    """What students did in the first weeks, and how much each cares (0..1)."""
    draw = Random(prefix)
    care = {f"{prefix}{number:02}": draw.random() for number in range(1, count + 1)}
    return [event for one, share in care.items() for event in _of_student(one, share, draw, start)], care


def _of_student(student: str, care: float, draw: Random, start: date) -> Iterable[Event]:
    for week in range(1, DONE + 1):
        monday = datetime(start.year, start.month, start.day) + timedelta(weeks=week - 1)
        for number in range(1 + round(4 * care + draw.random())):
            begins = monday + timedelta(days=number + 2 * (1 - care), hours=9 + 8 * (1 - care) * draw.random())
            yield student, begins, "video.load", f"v-{week}-1", None
            yield student, begins + timedelta(minutes=2 + 8 * care), "problem.check", f"q-{week}-1", round(care, 2)
            yield student, begins + timedelta(minutes=12 + 9 * care), "page.view", "outline", None


def as_edx(events: Path, out: Path, extra: Iterable[str] = ()) -> Path:
    """The events of a parquet as an edX log, and further lines."""
    return write(out, [*map(_line, pl.read_parquet(events).iter_rows()), *extra])


def _line(event: Event) -> str:
    student, time, kind, thing, value = event
    facts: dict[str, Any] = {"time": time.isoformat(), "context": {"user_id": student}, "username": student}
    match kind:
        case "video.load":
            return edx("load_video", {"id": thing}, **facts)
        case "problem.check":
            marks = {"problem_id": f"block@{thing}", "grade": value, "max_grade": 1}
            return edx("problem_check", marks, as_text=False, event_source="server", **facts)
        case _:
            return edx("seq_goto", {"id": thing}, **facts)


def bundle_bytes(folder: Path) -> dict[str, bytes]:
    """Every file of a folder by its name."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def quality(folder: Path) -> dict[str, object]:
    """What quality.json says."""
    read: dict[str, object] = json.loads((folder / "quality.json").read_text(encoding="utf-8"))
    return read
