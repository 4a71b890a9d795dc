"""The feedback reports: all shipped ones agree with the data, and the checker notices when one does not."""

import dataclasses
import re

import pyarrow.parquet as pq
import pytest

from data.build import BEHAVIOUR, GRADES, IMPORTANCE, PREDICTIONS, build_cohort, enrolled, outline
from data.bundle import COURSES
from data.catalogue import load_catalogue
from data.course import Course, Direction, Student
from data.report_claims import PARTS, claims_agree
from data.reports import FEWEST_WORDS, MOST_WORDS, THEORIES, findings, write_report

FOLDER = COURSES / "dsp"


@pytest.fixture(scope="module")
def course() -> Course:
    """The shipped cohort, built anew: the files must hold just this."""
    plan = outline(FOLDER)
    return enrolled(plan, build_cohort(plan))


@pytest.fixture(scope="module")
def shipped() -> dict[tuple[str, str], str]:
    """Report texts by student and theory."""
    texts = {}
    for path in sorted((FOLDER / "reports").glob("*.md")):
        student, theory, _ = path.name.split(".")
        texts[student, theory] = path.read_text(encoding="utf-8")
    return texts


def predicted(course: Course, outcome: str) -> Student:
    students = course.students.values()
    return next(one for one in students if one.predicted == outcome and len(one.importances) > 4)


def test_there_is_a_report_for_every_student_and_theory(
    course: Course, shipped: dict[tuple[str, str], str]
) -> None:
    assert set(shipped) == {(student, theory) for student in course.students for theory in THEORIES}


def test_every_shipped_report_agrees_with_the_data(
    course: Course, shipped: dict[tuple[str, str], str]
) -> None:
    wrong = {key: claims_agree(text, course.student(key[0]), course) for key, text in shipped.items()}
    assert {key: reasons for key, reasons in wrong.items() if reasons} == {}


def test_every_shipped_report_keeps_to_length_and_form(shipped: dict[tuple[str, str], str]) -> None:
    for (_, theory), text in shipped.items():
        assert FEWEST_WORDS <= len(text.split()) <= MOST_WORDS
        assert tuple(re.findall(r"\*\*([^*:]+):\*\*", text)) == PARTS[THEORIES.index(theory)]
        assert len(re.findall(r"^\d\. In week ([6-9]|10)\b", text, re.MULTILINE)) == 2


def test_an_explained_student_reads_two_behaviours_with_values(
    course: Course, shipped: dict[tuple[str, str], str]
) -> None:
    catalogue = load_catalogue()
    for (student, _), text in shipped.items():
        told = {one.label for one in findings(course, course.student(student), catalogue)}
        named = {label for label in told if label in text}
        assert len(named) >= min(2, len(told))
        assert bool(told) == bool(course.student(student).importances)


def test_reports_do_not_read_alike(shipped: dict[tuple[str, str], str]) -> None:
    ten = [text for (_, theory), text in shipped.items() if theory == "nr"][:10]
    assert len({text.split("\n")[0] for text in ten}) >= 8
    assert len(set(shipped.values())) == len(shipped)


def test_a_passing_student_is_told_what_to_keep(course: Course, shipped: dict[tuple[str, str], str]) -> None:
    for (student, _), text in shipped.items():
        if course.student(student).predicted == "pass":
            steps = re.findall(r"^\d\. (.*)", text, re.MULTILINE)
            assert all(re.search(r"\b(keep|go on|stay|hold on|protect)\b", step) for step in steps), text
            assert not re.search(r"\bfail|at risk|behind,", text)


def test_the_shipped_tables_hold_the_cohort_of_the_seed(course: Course) -> None:
    shapes = {"students": BEHAVIOUR, "predictions": PREDICTIONS, "importance": IMPORTANCE, "grades": GRADES}
    for name, columns in shapes.items():
        schema = pq.read_schema(FOLDER / f"{name}.parquet")
        assert dict(zip(schema.names, schema.types, strict=True)) == columns
    rows = pq.read_table(FOLDER / "students.parquet").to_pylist()
    values = {(row["student"], row["feature"], row["week"]): row["value"] for row in rows}
    for student in course.students.values():
        for (feature, week), value in student.features.items():
            assert values[student.id, feature, week] == pytest.approx(value, abs=1e-5)


@pytest.mark.parametrize("theory", THEORIES)
def test_a_changed_value_week_or_behaviour_is_noticed(course: Course, theory: str) -> None:
    student = predicted(course, "fail")
    report = write_report(course, student, theory)
    assert claims_agree(report, student, course) == []
    told = next(one for one in findings(course, student, load_catalogue()) if one.label in report)
    other = next(one.label for one in load_catalogue() if one.label not in report)
    value = re.escape(told.value)
    assert claims_agree(re.sub(rf"\b{value}\b", "77 percent", report), student, course)
    week = rf"\bweek {told.week}\b(?=[^(\n]*{value})"
    assert claims_agree(re.sub(week, "week 99", report), student, course)
    assert claims_agree(report.replace(told.label, other), student, course)


def test_a_report_of_another_student_is_noticed(course: Course) -> None:
    report = write_report(course, predicted(course, "fail"), "ac")
    assert claims_agree(report, predicted(course, "pass"), course)


def test_an_importance_turned_around_is_noticed(course: Course) -> None:
    student = predicted(course, "fail")
    report = write_report(course, student, "nr")
    opposite: dict[str, Direction] = {"increase": "decrease", "decrease": "increase"}
    turned = tuple(dataclasses.replace(one, direction=opposite[one.direction]) for one in student.importances)
    reasons = claims_agree(report, dataclasses.replace(student, importances=turned), course)
    assert any("other side" in reason for reason in reasons)


@pytest.mark.parametrize(
    "sentence",
    [
        "Your probability of passing is low.",
        "Look at NumberOfSessions.",
        "You have 3 chances left.",
        "In week 6, learn about JPEG.",
        "In week 7 (Image processing), keep reading.",
        "In week 12, rest.",
    ],
)
def test_what_a_report_must_not_say_is_noticed(course: Course, sentence: str) -> None:
    student = predicted(course, "pass")
    assert claims_agree(f"{write_report(course, student, 'con')}\n{sentence}\n", student, course)


def test_a_student_without_explanation_gets_no_values(course: Course) -> None:
    student = next(one for one in course.students.values() if not one.importances)
    for theory in THEORIES:
        text = write_report(course, student, theory)
        assert not re.search(r"\d+(\.\d+)? (percent|sessions?|clicks?|minutes?|hours?|times?|points)", text)
        assert claims_agree(text, student, course) == []


def test_a_report_is_the_same_each_time(course: Course) -> None:
    student = predicted(course, "fail")
    assert write_report(course, student, "nr") == write_report(course, student, "nr")
