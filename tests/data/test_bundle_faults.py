"""A bundle that is wrong says which file, which row and why, for everything that is wrong with it."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from data.bundle import check, load
from data.course import BrokenBundle
from tests.data.mini_bundle import (
    BEHAVIOUR,
    EXERCISES,
    GRADES,
    IMPORTANCE,
    PREDICTIONS,
    SUFFICIENT,
    TOPICS,
    write_mini,
    write_table,
)


@pytest.fixture
def mini(tmp_path: Path) -> Path:
    return write_mini(tmp_path / "mini")


def edited(name: str, old: str, new: str) -> Callable[[Path], None]:
    """Replace a passage of a text file, once."""

    def change(folder: Path) -> None:
        before = (folder / name).read_text()
        assert old in before
        (folder / name).write_text(before.replace(old, new, 1))

    return change


def tabled(name: str, rows: list[dict[str, Any]], row: int, **values: Any) -> Callable[[Path], None]:
    """Write a table anew with some values of one row, counted from 1, replaced."""

    def change(folder: Path) -> None:
        changed = [each | (values if number == row else {}) for number, each in enumerate(rows, start=1)]
        write_table(folder / name, changed)

    return change


def repeated(name: str, rows: list[dict[str, Any]]) -> Callable[[Path], None]:
    """Write a table anew with its first row once more at the end."""
    return lambda folder: write_table(folder / name, [*rows, rows[0]])


def written(name: str, text: str) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        (folder / name).write_text(text)

    return change


def removed(name: str) -> Callable[[Path], None]:
    return lambda folder: (folder / name).unlink()


def truncated(name: str) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        content = (folder / name).read_bytes()
        (folder / name).write_bytes(content[: len(content) // 2])

    return change


def column_dropped(folder: Path) -> None:
    write_table(folder / "grades.parquet", [{k: v for k, v in each.items() if k != "max"} for each in GRADES])


LINE = json.dumps(EXERCISES[0])


def linked(name: str, to: str) -> Callable[[Path], None]:
    return lambda folder: (folder / name).symlink_to(folder / to)


def hard_linked(name: str, to: str) -> Callable[[Path], None]:
    return lambda folder: (folder / name).hardlink_to(folder / to)


def piped(name: str) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        (folder / name).unlink(missing_ok=True)
        os.mkfifo(folder / name)

    return change


FAULTS: list[tuple[Callable[[Path], None], str]] = [
    # what nobody writes by mistake
    (linked("reports/s002.nr.md", "reports/s001.nr.md"), "reports/s002.nr.md: is a link; a report must be"),
    (hard_linked("reports/s002.nr.md", "reports/s001.nr.md"), "s002.nr.md: is the same file as s001.nr.md"),
    (linked("reports/s002.nr.md", "../elsewhere"), "reports/s002.nr.md: is a link"),
    (piped("reports/s002.nr.md"), "reports/s002.nr.md: is no regular file"),
    (piped("syllabus.md"), "syllabus.md: is no regular file"),
    (piped("grades.parquet"), "grades.parquet: is no regular file"),
    (written("reports/s001.nr.md", "word " * 1700), "reports/s001.nr.md: has 8500 characters"),
    (edited("course.toml", "weeks = 3", "weeks = 1000000000"), "course.toml, weeks: input should be less than or"),
    (written("course.toml", "a = " + "[" * 100_000), "course.toml: is not valid TOML: brackets nest too deeply"),
    (written("topics.toml", "a = " + "[" * 100_000), "topics.toml: is not valid TOML: brackets nest too deeply"),
    (written("exercises.jsonl", "[" * 100_000 + "\n"), "exercises.jsonl, line 1: is not JSON we can read"),
    (tabled("students.parquet", BEHAVIOUR, 1, value=float("inf")), "NumberOfSessions must be 0 to 1e+09, not inf"),
    (tabled("students.parquet", BEHAVIOUR, 1, value=1e300), "NumberOfSessions must be 0 to 1e+09, not 1e+300"),
    (tabled("importance.parquet", IMPORTANCE, 1, target=float("inf")), "target must be 0 to 1e+09, not inf"),
    # course.toml
    (removed("course.toml"), "course.toml: the file is missing"),
    (edited("course.toml", "weeks = 3", "weeks = "), "course.toml: is not valid TOML"),
    (edited("course.toml", 'title = "Mini Course"', ""), "course.toml, title: field required"),
    (edited("course.toml", "weeks = 3", 'weeks = "three"'), "course.toml, weeks: input should be"),
    (edited("course.toml", 'id = "mini"', 'id = "maxi"'), "course.toml, id: 'maxi' must be"),
    (edited("course.toml", "weeks_done = 2", "weeks_done = 4"), "weeks_done: value must be 0 to 3, not 4"),
    (
        edited("course.toml", "pass_mark = 60", "pass_mark = nan"),
        "pass_mark: input should be less than or equal to 100",
    ),
    (edited("course.toml", "weight = 60", "weight = 50"), "course.toml, grading: weights sum to 90, not 100"),
    (edited("course.toml", '"final"', '"quiz-1"'), "grading 2: id 'quiz-1' is used already by grading 1"),
    (edited("course.toml", "week = 4", "week = 9"), "course.toml, grading 2: week must be 1 to 7, not 9"),
    (edited("course.toml", ", max_points = 10 ", ""), "course.toml, grading 1 max_points: field required"),
    (edited("course.toml", '"Three short weeks."', '" "'), "course.toml, summary: is empty"),
    # topics.toml
    (removed("topics.toml"), "topics.toml: the file is missing"),
    (edited("topics.toml", "number = 3", "number = 2"), "topics.toml, weeks: week 3 is missing"),
    (edited("topics.toml", "number = 3", "number = 4"), "topics.toml, weeks 3: number must be 1 to 3, not 4"),
    (edited("topics.toml", '["Vectors"]', '["signals"]'), "topic 'signals' is used already by weeks 1"),
    (edited("topics.toml", '["Vectors"]', "[]"), "topics.toml, weeks 2 topics: tuple should have at least 1 item"),
    (edited("topics.toml", 'needs = "Sequences"', 'needs = "Algebra"'), "no week teaches 'Algebra'"),
    (edited("topics.toml", 'needs = "Sequences"', 'needs = "Filters"'), "'Filters' of the later week 3"),
    (edited("topics.toml", 'needs = "Vectors"', 'needs = "Filters"'), "form a cycle: Filters needs Filters"),
    (edited("topics.toml", "why = ", "because = "), "topics.toml, prerequisites 1 why: field required"),
    # what cannot be seen
    (
        edited("course.toml", '"Mini Course"', '"Mini\\n- **Course**"'),
        "title: 'Mini\\n- **Course**' holds U+000A",
    ),
    (edited("course.toml", '"Final exam"', '"Final \\u0007exam"'), "grading 2 title: 'Final \\x07exam' holds U+0007"),
    (edited("course.toml", '"the small one"', '"the \\u2028 one"'), "course.toml, aliases 2: 'the"),
    (edited("topics.toml", '"Middle"', '"Mid\\u202edle"'), "topics.toml, weeks 2 title: 'Mid\\u202edle' holds U+202E"),
    (
        edited("topics.toml", '"Sequences"]', '"Sequences\\tand series"]'),
        "topics 2: 'Sequences\\tand series' holds U+0009",
    ),
    (edited("textbook/03.md", "3.1 Filters", "3.1 Fil\u2066ters"), "textbook/03.md, line 1: heading '3.1 Fil"),
    (edited("exercises.jsonl", '"title": "Two"', '"title": "Tw\\no"'), "line 2 title: 'Tw\\no' holds U+000A"),
    # syllabus, textbook, exercises
    (edited("syllabus.md", "60 percent.", ""), "syllabus.md, line 3: section 'Pass mark' is empty"),
    (written("syllabus.md", "No headings."), 'syllabus.md: has no "## " section'),
    (edited("syllabus.md", "## Exam", "## Pass mark"), "line 7: title 'Pass mark' is used already by line 3"),
    (written("syllabus.en.md", "## Exam\n\nIt is long.\n"), "syllabus.en.md: has 1 sections, and syllabus.md has 2"),
    (edited("textbook/03.md", "3.1 Filters", "Filters"), "textbook/03.md, line 1: heading 'Filters'"),
    (edited("textbook/03.md", "3.1", "5.1"), "textbook/03.md, line 1: week must be 1 to 3, not 5"),
    (edited("textbook/03.md", "3.1", "1.1"), "section '1.1' is used already by textbook/01.md, line 3"),
    (edited("textbook/03.md", "More text.", ""), "textbook/03.md, line 1: section '3.1 Filters' is empty"),
    (removed("exercises.jsonl"), "exercises.jsonl: the file is missing"),
    (edited("exercises.jsonl", "}\n", "\n"), "exercises.jsonl, line 1: is not valid JSON"),
    (written("exercises.jsonl", f"{LINE}\n\n{LINE}"), "line 3: id 'e1' is used already by line 1"),
    (edited("exercises.jsonl", "Filters", "Filter"), "exercises.jsonl, line 2: no week teaches 'Filter'"),
    (edited("exercises.jsonl", '"week": 3', '"week": 1'), "line 2: 'Filters' is taught in week 3, not 1"),
    (edited("exercises.jsonl", "Done.", ""), "exercises.jsonl, line 2 solution: is empty"),
    # tables
    (removed("importance.parquet"), "importance.parquet: the file is missing"),
    (truncated("students.parquet"), "students.parquet: is not a readable parquet file"),
    (column_dropped, "grades.parquet: needs one column 'max'; it has student, item, score, weight"),
    (
        tabled("predictions.parquet", PREDICTIONS, 2, probability=1.2),
        "predictions.parquet, row 2: probability must be 0 to 1, not 1.2",
    ),
    (repeated("predictions.parquet", PREDICTIONS), "row 4: student 's001' is listed twice"),
    (tabled("predictions.parquet", PREDICTIONS, 1, predicted="maybe"), "must be pass or fail, not 'maybe'"),
    (tabled("predictions.parquet", PREDICTIONS, 1, student=None), "row 1: has no student"),
    (
        tabled("students.parquet", BEHAVIOUR, 1, student="s009"),
        "students.parquet, row 1: student 's009' is not in predictions.parquet",
    ),
    (
        tabled("students.parquet", BEHAVIOUR, 3, student="s002", week=2),
        "students.parquet: has no row for student 's003'",
    ),
    (tabled("students.parquet", BEHAVIOUR, 1, week=3), "row 1: week must be 1 to 2, not 3"),
    (tabled("students.parquet", BEHAVIOUR, 1, feature="Sleep"), "no behavioural feature is called"),
    (tabled("students.parquet", BEHAVIOUR, 1, feature="number_sessions"), "write 'NumberOfSessions'"),
    (tabled("students.parquet", BEHAVIOUR, 5, value=1.5), "row 5: StudentShape must be 0 to 1, not 1.5"),
    (tabled("students.parquet", BEHAVIOUR, 5, value=float("nan")), "row 5: value is NaN; write null"),
    (repeated("students.parquet", BEHAVIOUR), "row 6: student 's001' has a second Number"),
    (tabled("importance.parquet", IMPORTANCE, 2, importance=0.0), "row 2: importance must be above 0, not 0"),
    (tabled("importance.parquet", IMPORTANCE, 1, direction="up"), "row 1: direction must be increase"),
    (tabled("importance.parquet", IMPORTANCE, 1, flips_to="fail"), "row 1: flips_to is 'fail', which"),
    (tabled("importance.parquet", IMPORTANCE, 1, target=-1.0), "importance.parquet, row 1: target must be 0 to"),
    (tabled("predictions.parquet", PREDICTIONS, 1, explained=False), "'s001' is not explained but has rows in imp"),
    (tabled("predictions.parquet", PREDICTIONS, 2, explained=True), "'s002' is explained but has no row in imp"),
    (tabled("sufficient.parquet", SUFFICIENT, 1, feature="Sleep"), "sufficient.parquet, row 1: no behavioural"),
    (edited("topics.toml", "quizzes = 0", 'quizzes = 0\ntopics_en = ["A", "B"]'), "topics_en has 2 names for 1 topics"),
    (written("schedule.toml", "weeks = 3"), "schedule.toml, start: field required"),
    (tabled("grades.parquet", GRADES, 1, score=11.0), "grades.parquet, row 1: score must be 0 to 10, not 11"),
    (tabled("grades.parquet", GRADES, 1, item="oral"), "grades.parquet, row 1: course.toml grades no 'oral'"),
    (tabled("grades.parquet", GRADES, 2, max=90.0), "row 2: max is 90, but 100 in course.toml"),
    (tabled("grades.parquet", GRADES, 2, weight=50.0), "row 2: weight is 50, but 60 in course.toml"),
    (repeated("grades.parquet", GRADES), "row 3: student 's001' has a second grade for 'quiz-1'"),
    # reports
    (written("reports/s009.nr.md", "Hello."), "reports/s009.nr.md: student 's009' is not in predictions"),
    (written("reports/s001.xyz.md", "Hello."), "reports/s001.xyz.md: must be named <student>.<theory>.md"),
    (written("reports/s001.ac.md", " \n"), "reports/s001.ac.md: is empty"),
]


@pytest.mark.parametrize(("break_it", "complaint"), FAULTS, ids=[complaint for _, complaint in FAULTS])
def test_a_fault_is_named_with_file_row_and_reason(
    mini: Path, break_it: Callable[[Path], None], complaint: str
) -> None:
    break_it(mini)
    found = [str(problem) for problem in check(mini)]
    assert any(complaint in each for each in found), found
    with pytest.raises(BrokenBundle):
        load(mini)


def test_a_missing_plan_does_not_make_every_topic_unknown(mini: Path) -> None:
    (mini / "topics.toml").unlink()
    assert [str(problem) for problem in check(mini)] == ["topics.toml: the file is missing"]


def test_a_missing_list_of_students_does_not_make_every_student_unknown(mini: Path) -> None:
    (mini / "predictions.parquet").unlink()
    assert [str(problem) for problem in check(mini)] == ["predictions.parquet: the file is missing"]


def test_a_cycle_within_one_week_is_found(mini: Path) -> None:
    back = '\n[[prerequisites]]\ntopic = "{}"\nneeds = "{}"\nwhy = "so"\n'
    circle = back.format("Signals", "Sequences") + back.format("Sequences", "Signals")
    (mini / "topics.toml").write_text(TOPICS + circle)
    (problem,) = check(mini)
    assert problem.reason.startswith("form a cycle: ")
    assert {"Signals", "Sequences"} <= set(problem.reason.split())


def test_all_problems_are_collected_and_the_first_few_are_told(mini: Path) -> None:
    for name in (
        "syllabus.md",
        "exercises.jsonl",
        "students.parquet",
        "importance.parquet",
        "grades.parquet",
    ):
        (mini / name).write_bytes(b"\xff\xfe broken")
    (mini / "predictions.parquet").unlink()
    with pytest.raises(BrokenBundle) as caught:
        load(mini)
    assert len(caught.value.problems) == 6
    assert "(6 problems)" in str(caught.value)
    assert "syllabus.md, line 1: is not UTF-8 text" in str(caught.value)
    assert "and 1 more" in str(caught.value)


def test_a_table_with_text_that_is_no_utf8_is_a_problem_not_a_crash(mini: Path) -> None:
    columns = {name: [row[name] for row in BEHAVIOUR] for name in BEHAVIOUR[0]}
    table = pa.table(columns)
    broken = pa.array([b"\xff", *map(str.encode, columns["student"][1:])]).view(pa.string())
    pq.write_table(table.set_column(table.schema.names.index("student"), "student", broken), mini / "students.parquet")
    (problem,) = check(mini)
    assert str(problem).startswith("students.parquet: is not a readable parquet file: ")


def test_a_folder_that_does_not_exist_is_a_problem_not_a_crash(tmp_path: Path) -> None:
    (problem,) = check(tmp_path / "nowhere")
    assert str(problem) == "nowhere: there is no such folder"
