"""The step from courses to a file of questions: settings, manifest, and that others can read the file."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from app.batch import sheet
from app.batch.row import Problems
from app.settings import AnswerSettings
from data.bundle import COURSES
from data.course import Course
from finetune import manifest, sections
from finetune.questions import row, split_students, step
from finetune.questions.__main__ import main
from finetune.questions.settings import Settings
from scribe.errors import RecordError, UsageError
from tests.finetune.questions.bundles import small
from tools.reading.known_questions import kinds, wordings

SMALL = Settings(students=2, theories=("nr", "ac"), each=5, outside=2)


@pytest.fixture(scope="module")
def courses(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    root = tmp_path_factory.mktemp("courses")
    return [small(root), small(root, "petit", "fr")]


@pytest.fixture(scope="module")
def written(courses: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("questions") / "questions.jsonl"
    step.run(SMALL, courses, out, manifest.quiet)
    return out


def test_every_report_is_asked_about_in_every_category(written: Path) -> None:
    counts = (manifest.read(written) or pytest.fail("no manifest")).counts
    assert counts["made"] == 2 * 2 * 2 * (5 * 5 + 2)
    assert counts["kept"] + sum(counts["dropped"].values()) == counts["made"]
    rows = row.read(written)
    assert len(rows) == counts["kept"] > 0.9 * counts["made"]
    assert {(each.course, each.theory) for each in rows} == {(c, t) for c in ("mini", "petit") for t in ("nr", "ac")}


def test_a_category_may_have_another_number_of_questions(courses: list[Path], tmp_path: Path) -> None:
    out = tmp_path / "questions.jsonl"
    step.run(replace(SMALL, each=1, outside=1, each_of={"course": 4, "well": 0}), courses[:1], out, manifest.quiet)
    counts = (manifest.read(out) or pytest.fail("no manifest")).counts
    assert counts["made"] == 2 * 2 * (1 + 1 + 1 + 4 + 1) and "well" not in counts["by category"]


def test_what_was_dropped_lies_beside_with_its_reason(courses: list[Path], tmp_path: Path) -> None:
    out = tmp_path / "q.jsonl"
    step.run(replace(SMALL, shortest=10, longest=20), courses, out, manifest.quiet)
    lines = [json.loads(line) for line in step.beside(out, "dropped").read_text(encoding="utf-8").splitlines()]
    assert {line["reason"] for line in lines} >= {"shorter than real questions", "longer than real questions"}
    kept = row.read(out)
    assert all(10 <= len(each.question.split()) <= 20 for each in kept if each.intent != "smalltalk")


def test_scribe_answer_takes_the_file(written: Path) -> None:
    problems = Problems(written)
    taken = sheet.read(written, AnswerSettings(), problems)
    assert not problems.found and taken.form == "rows"
    asked = [(each.id, each.question, each.theory, each.history) for each in row.read(written)]
    assert [(each.id, each.question, each.theory, each.history) for each in taken.rows] == asked


def test_what_is_done_is_not_done_again_and_what_has_changed_is(written: Path, courses: list[Path]) -> None:
    told: list[int] = []

    def tell(name: str, done: int, total: int) -> None:
        told.append(done)

    step.run(SMALL, courses, written, tell)
    assert not told
    before = written.read_bytes()
    step.run(replace(SMALL, seed=2), courses, written, tell)
    assert told and written.read_bytes() != before
    step.run(SMALL, courses, written, tell)
    assert written.read_bytes() == before


def test_held_out_questions_are_of_held_out_students_and_wordings(dsp: Course, tmp_path: Path) -> None:
    step.run(replace(SMALL, held_out=True), [COURSES / "dsp"], tmp_path / "q.jsonl", manifest.quiet)
    rows = row.read(tmp_path / "q.jsonl")
    assert {each.student for each in rows} <= set(split_students(list(dsp.students))[1])
    held = {line.split("\t")[-1] for kind in (*kinds(), "follow_up") for line in wordings(kind, True)}
    assert {each.wording for each in rows} <= held


def test_a_file_of_questions_is_read_as_it_was_written(written: Path, tmp_path: Path) -> None:
    rows = row.read(written)
    row.write(tmp_path / "again.jsonl", rows)
    assert row.read(tmp_path / "again.jsonl") == rows
    assert any(each.second for each in rows) and any(each.earlier for each in rows)


@pytest.mark.parametrize(
    ("line", "complaint"),
    [("{", "not JSON"), ("[]", "questions.jsonl:2"), ('{"id": "a"}', "course"), ("same", "stands on line 1 already")],
)
def test_a_broken_line_is_named(written: Path, tmp_path: Path, line: str, complaint: str) -> None:
    first = written.read_text(encoding="utf-8").split("\n")[0]
    broken = tmp_path / "questions.jsonl"
    broken.write_text(f"{first}\n{first if line == 'same' else line}\n", encoding="utf-8")
    with pytest.raises(RecordError, match=f"questions.jsonl:2.*{complaint}" if "jsonl" not in complaint else complaint):
        row.read(broken)


@pytest.mark.parametrize(
    ("table", "complaint"),
    [
        ({"eech": 3}, "it may have: source, students"),
        ({"categories": ["why"]}, "there are: well, where"),
        ({"source": "api"}, "needs base_url and model"),
        ({"follow_ups": 2.0}, "a share from 0 to 1"),
        ({"lengths": {"huge": 1.0}}, "there are: short, medium, long"),
        ({"each": 0}, "at least 1"),
    ],
)
def test_settings_that_cannot_be_are_refused_saying_what_can(table: dict[str, object], complaint: str) -> None:
    with pytest.raises(UsageError, match=complaint):
        sections.settings(Settings, table, "questions")


def test_no_question_left_is_an_error_and_no_file(courses: list[Path], tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="shortest and longest"):
        step.run(replace(SMALL, shortest=200, longest=300, outside=0), courses, tmp_path / "q.jsonl", manifest.quiet)
    assert not (tmp_path / "q.jsonl").exists()


def test_it_can_be_run_by_itself_and_says_what_is_wrong(
    courses: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, settings = tmp_path / "q.jsonl", tmp_path / "pipeline.toml"
    settings.write_text("[questions]\nstudents = 1\neach = 2\n[export]\n")
    words = ["--out", str(out), "--settings", str(settings), "--course"]
    assert main([*words, "nowhere"]) == 2 and not out.exists()
    assert "no course is called 'nowhere'" in capsys.readouterr().err
    assert main([*words, str(courses[0])]) == 0
    assert json.loads(capsys.readouterr().out)["kept"] == len(row.read(out)) > 0
