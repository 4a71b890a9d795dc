"""From logs, grades and an earlier run to a bundle that can be loaded, told by a small course."""

import dataclasses
import gzip
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from data import bundle
from data.build.run import build_bundle
from data.build.sources import BuildSources
from data.build.writing import compose_report
from data.contrast.explain import explain
from data.course import BundleError, Course, Student
from tests.data.build.scene import QUICK, SmallCourse, as_edx, bundle_bytes, lay_out, quality
from tests.data.events.written_logs import edx


@pytest.fixture
def place(tmp_path: Path) -> SmallCourse:
    return lay_out(tmp_path)


def test_a_bundle_is_built_that_loads_and_says_how_good_its_predictions_are(place: SmallCourse) -> None:
    built = build_bundle(place.course, place.sources, settings=dataclasses.replace(QUICK, explain=explain))
    course = bundle.load(place.course)
    assert list(course.students) == [f"s{number:02}" for number in range(1, 25)]
    first = course.students["s01"]
    assert {week for _, week in first.features} == {1, 2}
    assert set(first.reports) == {"nr", "ac", "con"}
    assert [grade.item for grade in first.grades if grade.score is not None] == ["quiz-1", "quiz-2"]
    assert built.record.explained == sum(student.explained for student in course.students.values()) > 0
    told = quality(place.course)
    assert told["features"] == list(built.record.features)
    assert list(told["models"]) == ["BiLSTM", "logistic regression"]  # type: ignore[call-overload]
    assert sum(part["count"] for part in told["models"]["BiLSTM"]["reliability"]) == 48  # type: ignore[index]
    assert next(iter(built.seconds)) == "checking the material"


def test_features_that_no_log_tells_apart_are_not_told_as_facts(place: SmallCourse) -> None:
    build_bundle(place.course, place.sources, settings=QUICK)
    features = {name for name, _ in bundle.load(place.course).students["s01"].features}
    assert {"TotalClicksVideo", "DelayLecture"} <= features
    assert not {"AvgPauseDuration", "TotalClicksForum"} & features


def test_the_same_inputs_give_the_same_bytes_whatever_form_the_logs_have(place: SmallCourse) -> None:
    build_bundle(place.course, place.sources, settings=QUICK)
    once = bundle_bytes(place.course)
    build_bundle(place.course, place.sources, settings=QUICK)
    assert bundle_bytes(place.course) == once
    as_edx(place.logs / "events.parquet", place.logs / "now.log.gz", ["{not json", edx("page_close")])
    as_edx(place.logs / "past.parquet", place.logs / "past.log")
    built = build_bundle(place.course, place.with_logs("edx", "now.log.gz", "past.log"), settings=QUICK)
    again = bundle_bytes(place.course)
    assert {name for name in once if again[name] != once[name]} == {"quality.json"}
    now = built.record.logs["current run"]
    assert (now.malformed, now.unknown) == (1, {"page_close": 1})
    assert len(built.skipped) == 1


def test_the_enrolled_are_those_with_grades_whether_they_clicked_or_not(place: SmallCourse) -> None:
    grades = place.logs / "grades.csv"
    lines = [line for line in grades.read_text().splitlines() if not line.startswith("s01,")]
    grades.write_text("\n".join([*lines, "silent,quiz-1,"]) + "\n")
    built = build_bundle(place.course, place.sources, settings=QUICK)
    course = bundle.load(place.course)
    assert "s01" not in course.students
    silent = course.students["silent"]
    assert not silent.features
    assert not silent.explained
    assert set(silent.reports) == {"nr", "ac", "con"}
    log = built.record.logs["current run"]
    assert (log.silent, log.others) == (1, 1)
    assert log.used + log.others_clicks + log.outside == log.kept


def test_bad_rows_are_skipped_only_when_that_was_asked_for(place: SmallCourse) -> None:
    before = bundle_bytes(place.course)
    grades = place.logs / "grades.csv"
    grades.write_text(grades.read_text() + "s01,final,101\n")
    with pytest.raises(BundleError, match=r"grades\.csv:50: score must be 0 to 100, not 101"):
        build_bundle(place.course, place.sources, settings=QUICK)
    assert bundle_bytes(place.course) == before
    built = build_bundle(place.course, place.sources, settings=dataclasses.replace(QUICK, max_errors=1))
    assert built.record.skipped_rows == 1
    assert built.skipped[0].endswith("grades.csv:50: score must be 0 to 100, not 101")


def test_a_report_that_does_not_agree_with_the_data_stops_the_build_and_nothing_changes(place: SmallCourse) -> None:
    build_bundle(place.course, place.sources, settings=QUICK)
    before = bundle_bytes(place.course)

    def lying(course: Course, student: Student, theory: str) -> tuple[str, str]:
        honest = compose_report(course, student, theory)
        if (student.id, theory) != ("s24", "con"):
            return honest
        return honest[0] + "\nYou had 977 study sessions in week 2.\n", "liar"

    with pytest.raises(BundleError, match=r"reports/s24\.con\.md: says what the data does not: .*977"):
        build_bundle(place.course, place.sources, settings=dataclasses.replace(QUICK, write=lying))
    assert bundle_bytes(place.course) == before
    assert [path.name for path in place.course.parent.iterdir()] == ["tiny"]


def test_a_build_that_is_killed_late_leaves_the_old_bundle_and_the_next_one_works(place: SmallCourse) -> None:
    build_bundle(place.course, place.sources, settings=QUICK)
    before = bundle_bytes(place.course)
    code = """
import os, signal, sys
from pathlib import Path
from data.build.run import build_bundle
from tests.data.build.scene import QUICK, SmallCourse
def tell(step, done, total):
    if step == "writing and checking the reports" and done == 30:
        os.kill(os.getpid(), signal.SIGKILL)
place = SmallCourse(Path(sys.argv[1]), Path(sys.argv[2]))
build_bundle(place.course, place.sources, settings=QUICK, on_progress=tell)
"""
    run = subprocess.run([sys.executable, "-c", code, str(place.course), str(place.logs)], check=False)
    assert run.returncode == -signal.SIGKILL
    assert bundle_bytes(place.course) == before
    build_bundle(place.course, place.sources, settings=QUICK)
    assert [path.name for path in place.course.parent.iterdir()] == ["tiny"]


def test_material_that_is_edited_meanwhile_is_not_lost(place: SmallCourse) -> None:
    syllabus = place.course / "syllabus.md"

    def editing(step: str, done: int, total: int) -> None:
        if step == "fitting the predictor":
            syllabus.write_text("## New\n\nRules.\n")

    with pytest.raises(BundleError, match="tiny: was changed during the build; nothing was written"):
        build_bundle(place.course, place.sources, settings=QUICK, on_progress=editing)
    assert syllabus.read_text() == "## New\n\nRules.\n"
    assert not (place.course / "quality.json").exists()


def test_a_bundle_can_be_built_elsewhere_under_the_courses_name(place: SmallCourse, tmp_path: Path) -> None:
    before = bundle_bytes(place.course)
    build_bundle(place.course, place.sources, tmp_path / "out" / "tiny", QUICK)
    assert len(bundle.load(tmp_path / "out" / "tiny").students) == 24
    assert bundle_bytes(place.course) == before
    with pytest.raises(BundleError, match="small: the folder must be called tiny"):
        build_bundle(place.course, place.sources, tmp_path / "out" / "small", QUICK)


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        ("topics.toml", 'needs = "Topic A of week 1"', 'needs = "Topic B of week 1"', "prerequisites: form a cycle"),
        ("schedule.toml", "week = 4\nminutes", "week = 5\nminutes", r"schedule\.toml, items \d: week must be 1 to 4"),
        ("schedule.toml", "weeks = 4", "weeks = 6", r"schedule\.toml, weeks: is 6, but course\.toml says .* 4 weeks"),
        ("course.toml", "weeks_done = 2", "weeks_done = 0", r"weeks_done: must be 1 to 3, not 0"),
        ("course.toml", "weeks_done = 2", "weeks_done = 4", r"weeks_done: must be 1 to 3, not 4"),
        ("course.toml", "weeks_done = 2", "weeks_done = 3", r"the log ends on 2026-\d\d-\d\d, in week 2, but"),
        ("exercises.jsonl", '"week": 1', '"week": 3', r"exercises\.jsonl, line 1: 'Topic A of week 1' is taught in"),
    ],
)
def test_material_that_cannot_be_right_stops_the_build(
    place: SmallCourse, file: str, old: str, new: str, said: str
) -> None:
    text = (place.course / file).read_text()
    assert old in text
    (place.course / file).write_text(text.replace(old, new, 1))
    refused(place, said)


def test_all_that_is_wrong_with_the_material_is_told_at_once(place: SmallCourse) -> None:
    (place.course / "syllabus.md").unlink()
    (place.course / "schedule.toml").write_text("start = 2026-09-15\n")
    refused(place, r"(?s)syllabus\.md: the file is missing.*schedule\.toml")


@pytest.mark.parametrize(
    ("file", "content", "said"),
    [
        ("grades.csv", b"student,item,score\n", r"grades\.csv: lists no student"),
        ("grades.csv", b"student;grade\ns01;5\n", r"grades\.csv:1: the header must name each of student, item, score"),
        ("outcomes.csv", b"student,outcome\np01,maybe\n", r"outcomes\.csv:2: outcome must be pass or fail, not"),
        ("outcomes.csv", b"student,outcome\np01,pass\n", r"at least \d+ students who passed are needed .* not 1"),
        ("events.log.gz", gzip.compress(f"{edx()}\n".encode() * 9, mtime=0)[:-12], r"\.gz: the gz file is broken"),
        ("events.log.gz", b"PK\x03\x04", r"events\.log\.gz: is not a gz file"),
        ("events.log", b"", r"events\.log: the file is empty"),
        ("events.log", b'{"event_type": "page_close"}\n', r"events\.log: no event could be used; of 1 rows"),
        ("events.log", b"broken\n" * 101, r"(?s)at most 100 may be skipped.*events\.log:1: is not a JSON object"),
        ("events.csv", b"When,Who\n1,2\n", r"events\.csv.*(column|header|Time)"),
        ("events.parquet", b"PAR1", r"events\.parquet: is not a readable parquet file"),
    ],
)
def test_bad_input_is_named_with_its_file_and_nothing_is_written(
    place: SmallCourse, file: str, content: bytes, said: str
) -> None:
    (place.logs / file).write_bytes(content)
    if file.startswith("events") and file != "events.parquet":
        form = "moodle" if file.endswith("csv") else "edx"
        refused(place, said, dataclasses.replace(place.sources, events=[place.logs / file], format=form))
    else:
        refused(place, said)


def refused(place: SmallCourse, said: str, sources: BuildSources | None = None) -> None:
    before = bundle_bytes(place.course)
    with pytest.raises(BundleError, match=said):
        build_bundle(place.course, sources or place.sources, settings=QUICK)
    assert bundle_bytes(place.course) == before
    assert [path.name for path in place.course.parent.iterdir()] == ["tiny"]


@pytest.mark.parametrize("size", range(1, 5))
def test_a_class_too_small_to_be_told_of_is_refused_before_a_log_is_read(tmp_path: Path, size: int) -> None:
    place = lay_out(tmp_path, students=size)
    with pytest.raises(BundleError, match=rf"grades.csv: lists {size} students; .* at least 5"):
        build_bundle(place.course, place.sources, settings=QUICK)
    assert not bundle.has_students(place.course)
