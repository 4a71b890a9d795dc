from pathlib import Path

import pytest

from app.accounts.person import Place, make_pseudonym
from app.accounts.roster import read_roster
from scribe.plumbing.errors import UsageError

STUDENTS = {"dsp": {"s1", "s2"}, "geo": {"g1"}}
HEAD = "account,course,student,role\n"


def write(folder: Path, text: str) -> Path:
    path = folder / "roster.csv"
    path.write_text(text, encoding="utf-8")
    return path


def test_an_account_may_be_in_several_courses(tmp_path: Path) -> None:
    roster = read_roster(write(tmp_path, HEAD + "ada,dsp,s1,student\nada,geo,,staff\n"), STUDENTS)
    assert roster == {"ada": {"dsp": Place("student", "s1"), "geo": Place("staff")}}


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("ada,dsp,s9,student", "no student 's9'"),
        ("ada,xyz,s1,student", "no course 'xyz'"),
        ("ada,dsp,s1,teacher", "neither student nor staff"),
        ("ada,dsp,s1", "a line needs"),
        ("ada,dsp,s1,student,more", "a line needs"),
        (",dsp,s1,student", "a line needs"),
        ("bob,dsp,s2,student\nbob,dsp,s1,student", "twice"),
    ],
)
def test_a_faulty_line_is_named(tmp_path: Path, line: str, complaint: str) -> None:
    with pytest.raises(UsageError, match=rf"roster\.csv:\d: .*{complaint}"):
        read_roster(write(tmp_path, HEAD + line + "\n"), STUDENTS)


def test_other_columns_and_other_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="columns"):
        read_roster(write(tmp_path, "name,course\n"), STUDENTS)
    with pytest.raises(UsageError, match="cannot be read"):
        read_roster(tmp_path / "none.csv", STUDENTS)


def test_a_pseudonym_depends_on_secret_issuer_and_subject_and_on_where_they_part() -> None:
    given = [(b"k", "a", "bc"), (b"k", "ab", "c"), (b"l", "a", "bc"), (b"k", "a", "bd")]
    assert len({make_pseudonym(*each) for each in given}) == len(given)
    assert make_pseudonym(*given[0]) == make_pseudonym(*given[0])
