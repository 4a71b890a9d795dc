"""Grades and outcomes as people export them, and what is wrong with them."""

from pathlib import Path

import pytest

from data.build.enrolment import read_grades, read_outcomes
from data.build.sources import Tolerance
from data.bundle import load
from data.course import BundleError, Course
from data.events.schema import TooManyErrors
from tests.data.build.scene import table
from tests.data.mini_bundle import write_mini

HEAD = "student,item,score"


@pytest.fixture
def course(tmp_path: Path) -> Course:
    return load(write_mini(tmp_path / "mini"))


def test_scores_come_by_student_and_item_and_an_empty_one_is_none(tmp_path: Path, course: Course) -> None:
    path = table(tmp_path / "g.csv", HEAD, ["zoe,quiz-1,7.5", "abe,quiz-1,", "abe,final,100", ""])
    read = read_grades(path, course, Tolerance())
    assert list(read.items()) == [("abe", {"quiz-1": None, "final": 100.0}), ("zoe", {"quiz-1": 7.5})]


def test_columns_may_come_in_any_order_with_semicolons_a_mark_and_more_columns(tmp_path: Path, course: Course) -> None:
    text = "score; item ;name;student\r\n3;quiz-1;Ann;s1\r\n"
    (tmp_path / "g.csv").write_text(text, encoding="utf-8-sig", newline="")
    assert read_grades(tmp_path / "g.csv", course, Tolerance()) == {"s1": {"quiz-1": 3.0}}


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("s1,quiz-1,10.5", "score must be 0 to 10, not 10.5"),
        ("s1,quiz-1,-1", "score must be 0 to 10, not -1"),
        ("s1,quiz-1,ten", "score 'ten' is no number"),
        ("s1,quiz-1,nan", "score 'nan' is no number"),
        ('s1,quiz-1,"7,5"', "score '7,5' is no number; write 7.5"),
        ("s1,quiz1,5", "grades no 'quiz1'; did you mean quiz-1? it grades quiz-1, final"),
        ("s0,quiz-1,6", "student 's0' has a second row for 'quiz-1'"),
        (" ,quiz-1,6", "student is empty"),
        ("../s1,quiz-1,6", "cannot be an id"),
        ("a/b,quiz-1,6", "cannot be an id"),
        ("s1,quiz-1,1_0", "score '1_0' is no number"),
        ("s1,quiz-1,٧", "score '٧' is no number"),
        ("s1,quiz-1,inf", "score 'inf' is no number"),
        ("s\u202e1,quiz-1,6", "student 's\\u202e1' has a character that cannot be seen, U+202E"),
        ("s\u200b1,quiz-1,6", "cannot be seen, U+200B"),
        ("s\x071,quiz-1,6", "cannot be seen, U+0007"),
        ("s1,quiz-1", "must have as many values as the header"),
        ("s1,quiz-1,5,6", "must have as many values as the header"),
    ],
)
def test_a_bad_grade_is_named_with_file_and_line(tmp_path: Path, course: Course, row: str, said: str) -> None:
    path = table(tmp_path / "grades.csv", HEAD, ["s0,quiz-1,5", row])
    with pytest.raises(TooManyErrors) as refused:
        read_grades(path, course, Tolerance())
    assert refused.value.problems[0].startswith(f"{path}:3: ")
    assert said in str(refused.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", ": the file is empty"),
        ("student,exam,score\ns1,quiz-1,5\n", r":1: the header must .* it has 'student', 'exam', 'score'"),
        ("student,item,score,score\n", ":1: the header must name each"),
        (f"{HEAD}\n", "lists no student"),
        (f"{HEAD}\ns1,quiz-1,\0\n", ":2: "),
    ],
)
def test_a_file_that_is_no_list_of_grades_is_refused(tmp_path: Path, course: Course, text: str, said: str) -> None:
    (tmp_path / "grades.csv").write_text(text)
    with pytest.raises(BundleError, match=rf"grades\.csv:? ?{said}"):
        read_grades(tmp_path / "grades.csv", course, Tolerance())


def test_a_file_in_another_encoding_or_none_at_all_is_named(tmp_path: Path, course: Course) -> None:
    (tmp_path / "grades.csv").write_bytes(f"{HEAD}\nAndré,quiz-1,5".encode("latin-1"))
    with pytest.raises(BundleError, match=r"grades\.csv:2: must have as many values as the header, in UTF-8"):
        read_grades(tmp_path / "grades.csv", course, Tolerance())
    with pytest.raises(BundleError, match=r"none\.csv: cannot be read: No such file"):
        read_grades(tmp_path / "none.csv", course, Tolerance())


@pytest.mark.parametrize("allowed", [None, 5])
@pytest.mark.parametrize("row", ['s2,quiz-1,"7', '"s2,quiz-1,7', 's2,quiz-1,"7\n"'])
@pytest.mark.parametrize("after", [0, 3, 20_000])
def test_a_quotation_mark_left_open_is_never_let_swallow_what_follows(
    tmp_path: Path, course: Course, row: str, allowed: int | None, after: int
) -> None:
    rows = ["s1,quiz-1,7", row, *(f"t{number},quiz-1,5" for number in range(after))]
    path = table(tmp_path / "g.csv", HEAD, rows)
    with pytest.raises(BundleError, match=r"g\.csv:3: a quotation mark that is opened here") as refused:
        read_grades(path, course, Tolerance(allowed))
    assert not isinstance(refused.value, TooManyErrors)


def test_a_quotation_mark_left_open_in_the_last_line_or_the_header_is_named_too(tmp_path: Path, course: Course) -> None:
    for text, line in ((f'{HEAD}\ns1,quiz-1,"7', 2), ('student,item,"score\ns1,quiz-1,7\n', 1)):
        (tmp_path / "g.csv").write_text(text)
        with pytest.raises(BundleError, match=rf"g\.csv:{line}: a quotation mark"):
            read_grades(tmp_path / "g.csv", course, Tolerance(5))


def test_a_long_value_is_cut_where_a_message_quotes_it(tmp_path: Path, course: Course) -> None:
    long = "x" * 100_000
    path = table(tmp_path / "g.csv", HEAD, [f"s1,{long},7", f"s1,quiz-1,{long}", f"{long},quiz-1,7"])
    with pytest.raises(TooManyErrors) as refused:
        read_grades(path, course, Tolerance())
    assert all(len(problem) < len(str(path)) + 150 for problem in refused.value.problems)
    path = table(tmp_path / "g.csv", ",".join([long] * 30), [])
    with pytest.raises(BundleError) as refused_head:
        read_grades(path, course, Tolerance())
    assert len(str(refused_head.value)) < len(str(path)) + 600


def test_no_score_is_minus_nothing(tmp_path: Path, course: Course) -> None:
    path = table(tmp_path / "g.csv", HEAD, ["s1,quiz-1,-0", "s2,quiz-1,.5", "s3,quiz-1,7.", "s4,quiz-1,1E+01"])
    assert str(read_grades(path, course, Tolerance())["s1"]["quiz-1"]) == "0.0"
    assert read_grades(path, course, Tolerance())["s4"] == {"quiz-1": 10.0}


def test_outcomes_say_pass_or_fail_once_for_each_student(tmp_path: Path) -> None:
    path = table(tmp_path / "o.csv", "student,outcome", ["p2,Pass", "p1,fail"])
    assert list(read_outcomes(path, Tolerance()).items()) == [("p1", False), ("p2", True)]
    path = table(tmp_path / "o.csv", "student,outcome", ["p1,fail", "p2,passed", "p1,pass"])
    problems = r"(?s)2 bad rows.*o\.csv:3: .*not 'passed'.*o\.csv:4: .*second row"
    with pytest.raises(TooManyErrors, match=problems) as told:
        read_outcomes(path, Tolerance())
    assert "none may be skipped" in str(told.value)


def test_bad_rows_are_skipped_and_told_when_that_was_asked_for(tmp_path: Path, course: Course) -> None:
    path = table(tmp_path / "g.csv", HEAD, ["s1,quiz-1,50", "s1,final,50", "s2,quiz-1,x"])
    tolerance = Tolerance(allowed=3)
    assert read_grades(path, course, tolerance) == {"s1": {"final": 50.0}}
    assert [problem.split(": ")[0] for problem in tolerance.skipped] == [f"{path}:2", f"{path}:4"]
    with pytest.raises(TooManyErrors, match="2 bad rows, and at most 1 may be skipped"):
        read_grades(path, course, tolerance)


def test_without_a_number_logs_may_have_bad_lines_and_tables_none() -> None:
    usual, asked = Tolerance(), Tolerance(allowed=5)
    assert (usual.left_for_logs, usual.left_for_rows) == (100, 0)
    usual.skip_lines(99, ["log:1: is not JSON"])
    asked.skip_lines(2, [])
    assert (usual.left_for_logs, usual.left_for_rows) == (1, 0)
    assert (asked.left_for_logs, asked.left_for_rows) == (3, 3)
