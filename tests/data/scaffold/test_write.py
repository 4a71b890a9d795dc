"""A new course is whole from the first minute, and is never written over another."""

import re
from datetime import date
from pathlib import Path

import pytest

from data.bundle import has_students, load_material
from data.course import BundleError
from data.scaffold.write import Language, new_course

MONDAY = date(2026, 9, 14)


@pytest.mark.parametrize(("language", "weeks"), [("en", 2), ("en", 10), ("fr", 7), ("fr", 30)])
def test_it_passes_all_checks_at_once(tmp_path: Path, language: Language, weeks: int) -> None:
    files = new_course("dsp-2", tmp_path / "courses", MONDAY, language, weeks)
    folder = tmp_path / "courses" / "dsp-2"
    course, schedule = load_material(folder)
    assert (course.id, course.title, course.language, course.weeks) == ("dsp-2", "Dsp 2", language, weeks)
    assert len(course.plan) == weeks
    assert len(course.prerequisites) == 2 * weeks - 1
    assert bool(course.plan[0].topics_en) == (language == "fr")
    assert schedule.monday(1).date() == MONDAY
    assert not has_students(folder)
    assert sorted(path for path in folder.rglob("*") if path.is_file()) == sorted(files)
    assert not re.search(r"\{[{%]", "".join(path.read_text() for path in files))


@pytest.mark.parametrize("name", ["", "DSP", "1st", "a b", "../x", "é", ".hidden", "a" * 41])
def test_a_name_that_cannot_be_an_id_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(BundleError, match="small letters, digits and hyphens"):
        new_course(name, tmp_path, MONDAY)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("start", "language", "weeks", "said"),
    [
        (MONDAY, "de", 10, "in en, fr, not in 'de'"),
        (MONDAY, "en", 1, "2 to 30 weeks, not 1"),
        (MONDAY, "en", 31, "2 to 30 weeks, not 31"),
        (date(2026, 9, 15), "en", 10, "2026-09-15 is a Tuesday"),
    ],
)
def test_what_makes_no_course_is_refused(
    tmp_path: Path, start: date, language: Language, weeks: int, said: str
) -> None:
    with pytest.raises(BundleError, match=said):
        new_course("new", tmp_path, start, language, weeks)
    assert not list(tmp_path.iterdir())


def test_a_folder_that_exists_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "dsp").mkdir()
    with pytest.raises(BundleError, match="dsp: exists already"):
        new_course("dsp", tmp_path, MONDAY)
    (tmp_path / "file").write_text("")
    with pytest.raises(BundleError, match="cannot be written"):
        new_course("dsp", tmp_path / "file", MONDAY)
