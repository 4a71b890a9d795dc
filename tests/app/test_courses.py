"""`scribe courses`: from nothing to a course with students, and what is said on the way."""

from dataclasses import replace
from pathlib import Path

import pytest

from app.cli import build_parser, main
from app.commands.courses import choose_build, choose_sources, locate_course, summarise
from app.settings import load_settings
from data.build.run import build_bundle
from scribe.plumbing.progress import show_progress
from tests.app.told import mini_courses
from tests.data.build.scene import SmallCourse, lay_out, unexplained
from tools.assembly.model import make_backend
from tools.assembly.settings import AssistantSettings

Out = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def courses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SCRIBE_COURSES_FOLDER", str(tmp_path / "courses"))
    monkeypatch.setenv("SCRIBE_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    return tmp_path / "courses"


@pytest.fixture
def place(tmp_path: Path) -> SmallCourse:
    return lay_out(tmp_path)


def arguments(place: SmallCourse, **changed: str) -> list[str]:
    given = {
        "course": "tiny",
        "events": str(place.logs / "events.parquet"),
        "grades": str(place.logs / "grades.csv"),
        "past-events": str(place.logs / "past.parquet"),
        "past-outcomes": str(place.logs / "outcomes.csv"),
    } | {name.replace("_", "-"): value for name, value in changed.items()}
    return ["courses", "build", *(part for name, value in given.items() for part in (f"--{name}", value))]


def test_a_new_course_is_listed_without_students_and_has_no_problems(courses: Path, capsys: Out) -> None:
    assert main(["courses", "new", "logic", "--weeks", "6"]) == 0
    told = capsys.readouterr().out
    assert f"scribe courses check {courses / 'logic'}" in told
    assert main(["courses", "list"]) == 0
    assert "Logic, no students yet: `scribe courses build" in capsys.readouterr().out
    assert main(["courses", "check", str(courses / "logic")]) == 0
    assert "no problems in the material; there are no students yet" in capsys.readouterr().out


def test_a_course_is_checked_by_its_name_as_by_its_folder(courses: Path, capsys: Out) -> None:
    main(["courses", "new", "logic"])
    capsys.readouterr()
    (courses.parent / "logic").mkdir()  # a folder of logs that happens to bear the name
    assert main(["courses", "check", "logic"]) == 0
    assert f"{courses / 'logic'}: no problems" in capsys.readouterr().out
    assert main(["courses", "check", "magic"]) == 2
    assert "magic: is neither a course's folder nor the name of one in" in capsys.readouterr().err


def test_the_time_zone_is_said_to_be_of_the_logs_it_is_used_for(capsys: Out) -> None:
    with pytest.raises(SystemExit):
        main(["courses", "build", "--help"])
    said = " ".join(capsys.readouterr().out.split())
    assert "of the times in Moodle's logs (default: the schedule's); edX logs and parquet are in UTC" in said


def test_a_mistake_in_a_new_course_is_named(courses: Path, capsys: Out) -> None:
    main(["courses", "new", "logic", "--language", "fr", "--folder", str(courses)])
    path = courses / "logic" / "schedule.toml"
    path.write_text(path.read_text().replace("week = 10", "week = 11"))
    assert main(["courses", "check", str(courses / "logic")]) == 2
    assert "schedule.toml, items 19: week must be 1 to 10, not 11" in capsys.readouterr().out
    assert main(["courses", "list"]) == 2
    assert "broken: `scribe courses check" in capsys.readouterr().out


def test_a_course_is_never_written_over_another(courses: Path, capsys: Out) -> None:
    assert main(["courses", "new", "logic"]) == 0
    assert main(["courses", "new", "logic"]) == 2
    assert "logic: exists already" in capsys.readouterr().err
    assert main(["courses", "new", "../logic2"]) == 2
    assert "small letters" in capsys.readouterr().err


def test_a_course_is_built_and_the_summary_says_what_came_of_it(place: SmallCourse, capsys: Out) -> None:
    given = build_parser().parse_args([*arguments(place), "--folds", "2", "--epochs", "6"])
    how = choose_build(given, AssistantSettings(), make_backend)
    with show_progress() as tell:
        folder = locate_course(given.course, load_settings())
        # Explaining takes long; all else is as the command does it.
        built = build_bundle(folder, choose_sources(given), given.out, replace(how, explain=unexplained), tell)
    told = summarise(built)
    assert told.startswith(f"tiny: weeks 1 to 2, written to {place.course}\nstudents     24, of whom ")
    for said in ("clicks used of", "BiLSTM", "logistic regression", "72 composed", "in all: checking the material"):
        assert said in told
    assert "fitting the predictor ...\n" in capsys.readouterr().err
    assert main(["courses", "list"]) == 0
    assert "Tiny, 2 of 4 weeks passed, 24 students" in capsys.readouterr().out
    assert main(["report", "--course", "tiny", "--student", "s01"]) == 0


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"course": "tony"}, "tony: is neither a course's folder nor the name of one in"),
        ({"events": "none.parquet"}, "there is no such file: none.parquet"),
        ({"events": "clicks.txt"}, "say which of edx, moodle, parquet"),
        ({"grades": "none.csv"}, "there is no such file: none.csv"),
        ({"past_start": "2025-09-16"}, "must start on a Monday; 2025-09-16 is a Tuesday"),
        ({"past_start": "2024-09-16"}, "past.parquet): the log spans 2025-"),
        ({"past_events": "logs/events.parquet"}, "one file cannot be two of the sources"),
        ({"folds": "1"}, "tested on at least 2 parts, not 1"),
        ({"out": "elsewhere"}, "elsewhere: the folder must be called tiny"),
    ],
)
def test_what_cannot_be_built_is_one_clear_message_and_exit_code_2(
    place: SmallCourse, changed: dict[str, str], said: str, capsys: Out
) -> None:
    assert main(arguments(place, **changed)) == 2
    told = capsys.readouterr()
    assert said in told.err
    assert told.out == ""


@pytest.mark.parametrize("option", [("--past-start", "monday"), ("--max-errors", "-1"), ("--source", "canvas")])
def test_an_option_that_makes_no_sense_is_bad_usage(place: SmallCourse, option: tuple[str, str], capsys: Out) -> None:
    with pytest.raises(SystemExit) as refused:
        main([*arguments(place), *option])
    assert refused.value.code == 2
    assert option[0] in capsys.readouterr().err


def test_there_are_only_so_many_demo_courses(tmp_path: Path, capsys: Out) -> None:
    assert main(["courses", "simulate", "algebra", "--out", str(tmp_path / "sim")]) == 2
    assert "has no course 'algebra'; it has dsp" in capsys.readouterr().err
    assert not (tmp_path / "sim").exists()


def test_a_check_counts_the_students_who_have_no_report(tmp_path: Path, capsys: Out) -> None:
    mini = mini_courses(tmp_path / "some") / "mini"
    assert main(["courses", "check", str(mini)]) == 0
    assert capsys.readouterr().out == f"{mini}: no problems; 2 of 3 students have no report: s002, s003\n"
    for student in ("s002", "s003"):
        (mini / "reports" / f"{student}.ac.md").write_text("Few sessions.\n")
    assert main(["courses", "check", str(mini)]) == 0
    assert capsys.readouterr().out == f"{mini}: no problems\n"
