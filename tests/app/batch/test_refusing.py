"""What is refused before anything is asked or written, and how it is said."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from app.cli import main
from tests.app.batch.questions import lines, row, write
from tests.app.batch.scripted_reader import ScriptedReader, reading

IN, OUT = Path("in.jsonl"), Path("out.jsonl")
Err = pytest.CaptureFixture[str]


def answer(*options: str, source: Path = IN, out: Path = OUT, name: str = "reader") -> int:
    return main(["answer", str(source), "--out", str(out), *options], reading(ScriptedReader(name=name)))


def refusal(capsys: Err) -> str:
    """What was said; and nothing was written."""
    assert not OUT.exists()
    assert not Path("out.jsonl.manifest.json").exists()
    return capsys.readouterr().err


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{not json", "in.jsonl:2: not readable JSON"),
        ("[" * 100_000, "in.jsonl:2: not readable JSON"),
        ('["a list"]', "in.jsonl:2: not a JSON object"),
        (json.dumps(row(1, id=None)), "in.jsonl:2: id is missing"),
        (json.dumps(row(1, course="")), "in.jsonl:2: course is empty"),
        (json.dumps(row(1, student=["s001"])), "in.jsonl:2: student: Input should be a valid string, not ['s001']"),
        (json.dumps(row(1, id="x" * 201)), "in.jsonl:2: id: String should have at most 200 characters"),
        (json.dumps(row(1, id="\ud800")), "in.jsonl:2: id is not readable text"),
        (json.dumps(row(1, id="q0")), "in.jsonl:2: the id 'q0' stands on line 1 already"),
        (json.dumps(row(1, course="mimi")), "in.jsonl:2: no course is called 'mimi'; did you mean mini?"),
        (json.dumps(row(1, student="s01")), "in.jsonl:2: course mini has no student 's01'; close ids are s001"),
        (json.dumps(row(1, theory="xx")), "in.jsonl:2: no kind of report is called 'xx'"),
        (json.dumps(row(1, theory="ac")), "in.jsonl:2: student s002 has no ac report; there are: nr"),
        (json.dumps(row(1, question="?")), "in.jsonl:2: the question is empty"),
        (json.dumps(row(1, question="w" * 2001)), "in.jsonl:2: the question has 2001 characters; at most 2000"),
        (json.dumps(row(1, theories="nr")), "in.jsonl:2: there is no field 'theories'; did you mean theory?"),
        (json.dumps(row(1, history="Why?")), "in.jsonl:2: history: Value error"),
        (json.dumps(row(1, history=[{"question": "Why?"}])), "history.0.answer is missing"),
        (
            json.dumps(row(1, history=[{"question": "Why?", "answer": "word " * 900_000}])),
            "in.jsonl:2: an earlier question or answer has 4500000 characters; at most 20000",
        ),
        (
            json.dumps(row(1, history=[{"question": "\ud83d", "answer": "So."}])),
            "in.jsonl:2: an earlier question or answer is not readable",
        ),
    ],
)
def test_a_bad_line_is_refused_with_file_and_line(capsys: Err, line: str, said: str) -> None:
    IN.write_text(json.dumps(row(0)) + "\n" + line + "\n")
    assert answer() == 2
    assert said in refusal(capsys)


def test_every_problem_is_told_in_order_and_those_beyond_twenty_are_counted(capsys: Err) -> None:
    rows = [row(number, student="s009", question="?") for number in range(12)]
    write(IN, rows)
    assert answer() == 2
    told = refusal(capsys).splitlines()
    assert "has 24 problems" in told[0]
    assert [line.split(":")[1] for line in told[1:-1]] == [str(1 + number // 2) for number in range(20)]
    assert told[-1].strip() == "and 4 more"


def test_text_that_is_no_utf8_names_its_line(capsys: Err) -> None:
    IN.write_bytes(json.dumps(row(0)).encode() + b'\n{"id": "\xff"}\n')
    assert answer() == 2
    assert "in.jsonl:2: not readable text" in refusal(capsys)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("id,course,question\n1,mini,Why?\n", "in.csv:1: the first line must name the columns; there is none"),
        ("id,id,course,student,question\n", "in.csv:1: the first line names a column twice: id"),
        ("id,course,student,question\n1,mini,s001,Why?\n2,mini,s001\n", "in.csv:3: 3 cells, but the first"),
        ('id,course,student,question\n1,mini,s001,"Why\nso?"\n1,mini,s001,Why?\n', "in.csv:4: the id '1' stands"),
        ('id,course,student,question\n1,mini,s001,"Why?\n', "in.csv:2: not readable CSV"),
        (
            "id,course,student,question,history\n1,mini,s001,Why?,[\n",
            "in.csv:2: history: Value error, EOF",
        ),
        ("id,course,student,question\n", "holds no questions"),
    ],
)
def test_a_bad_table_is_refused_with_file_and_line(capsys: Err, content: str, said: str) -> None:
    source = Path("in.csv")
    source.write_text(content)
    assert answer(source=source) == 2
    assert said in refusal(capsys)


def test_an_input_that_is_missing_empty_or_the_output_is_refused(capsys: Err) -> None:
    assert answer() == 2
    assert "in.jsonl cannot be read" in refusal(capsys)
    IN.write_text("\n\n")
    assert answer() == 2
    assert "holds no questions" in refusal(capsys)
    write(IN, [row(0)])
    before = IN.read_bytes()
    Path("link.jsonl").symlink_to(IN)
    assert answer(out=Path("link.jsonl")) == 2
    assert "would overwrite the input in.jsonl" in refusal(capsys)
    assert IN.read_bytes() == before


def test_the_manifest_may_not_be_the_input_either(capsys: Err) -> None:
    source = Path("out.jsonl.manifest.json")
    write(source, [row(0)])
    before = source.read_bytes()
    assert answer(source=source) == 2
    assert f"--out out.jsonl would overwrite the input {source}" in capsys.readouterr().err
    assert source.read_bytes() == before


def test_a_file_in_utf16_is_told_so_once(capsys: Err) -> None:
    IN.write_bytes((json.dumps(row(0)) + "\n").encode("utf-16"))
    assert answer() == 2
    assert "in.jsonl is in UTF-16; save it as UTF-8" in refusal(capsys)


def test_an_output_that_cannot_be_written_is_refused(capsys: Err, place: Path) -> None:
    write(IN, [row(0)])
    assert answer(out=Path("nowhere/out.jsonl")) == 2
    assert "no folder nowhere" in capsys.readouterr().err
    assert answer(out=place) == 2
    assert "is no file" in capsys.readouterr().err


def test_a_model_that_is_missing_is_refused_and_leaves_nothing(capsys: Err) -> None:
    write(IN, [row(0)])
    assert main(["answer", str(IN), "--out", str(OUT), "--model", "none.gguf"]) == 2
    assert "there is no model at none.gguf" in refusal(capsys)


def test_a_broken_course_is_told_once_for_each_of_its_rows(capsys: Err, place: Path) -> None:
    (place / "courses" / "mini" / "exercises.jsonl").write_text('{"id": "e1"}\n')
    write(IN, [row(0), row(1)])
    assert answer() == 2
    told = refusal(capsys)
    assert told.count("the course mini cannot be used: exercises.jsonl, ") == 2


@pytest.mark.parametrize("content", ["notes\n", "notes", '{"id": "q0"}\n', '{"id": "q0", "question": "Why?"}'])
@pytest.mark.parametrize("option", [(), ("--fresh",)])
def test_somebody_elses_file_is_never_touched(capsys: Err, content: str, option: tuple[str, ...]) -> None:
    write(IN, [row(0)])
    OUT.write_text(content)
    assert answer(*option) == 2
    assert "out.jsonl:1 was not written by `scribe answer`" in capsys.readouterr().err
    assert OUT.read_text() == content


def made_before() -> bytes:
    """An output with three rows."""
    write(IN, [row(number) for number in range(3)])
    assert answer() == 0
    return OUT.read_bytes()


@pytest.mark.parametrize(
    ("options", "name", "said"),
    [
        (("--temperature", "0.7"), "reader", "the settings differ (answer.temperature was 0.0 and is 0.7)"),
        ((), "another", "the model is another one (was scripted:reader, is scripted:another)"),
        (("--openai",), "reader", "is not in OpenAI's form"),
    ],
)
def test_rows_made_otherwise_are_kept_and_what_differs_is_said(
    capsys: Err, options: tuple[str, ...], name: str, said: str
) -> None:
    before = made_before()
    assert answer(*options, name=name) == 2
    assert said in capsys.readouterr().err
    assert OUT.read_bytes() == before
    assert answer(*options, "--fresh", name=name) == 0
    assert len(lines(OUT)) == 3


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"question": "Why not?"}, "the question, its student or its history is another one under the same id (q0)"),
        ({"student": "s003"}, "is another one under the same id (q0)"),
        ({"history": [{"question": "Why?", "answer": "So."}]}, "is another one under the same id (q0)"),
        ({"id": "q9"}, "the input has no such id (q0)"),
    ],
)
def test_answers_to_other_questions_are_not_mixed_in(capsys: Err, changes: dict[str, Any], said: str) -> None:
    before = made_before()
    write(IN, [row(0, **changes), row(1), row(2)])
    assert answer() == 2
    assert said in capsys.readouterr().err
    assert OUT.read_bytes() == before


def test_changed_course_data_are_noticed(capsys: Err, place: Path) -> None:
    made_before()
    (place / "courses" / "mini" / "syllabus.md").write_text("# Rules\n\n## Pass mark\n\n70 percent.\n")
    assert answer() == 2
    assert "the course's data have changed" in capsys.readouterr().err


def test_rows_may_be_added_to_the_input_and_machines_may_differ() -> None:
    made_before()
    write(IN, [row(number) for number in (4, 2, 1, 0)])
    assert answer("--base-url", "http://elsewhere/v1", "--parallel", "1") == 0
    assert [line["id"] for line in lines(OUT)] == ["q4", "q2", "q1", "q0"]


def test_a_link_that_leads_to_itself_is_bad_input(capsys: Err) -> None:
    write(IN, [row(0)])
    Path("loop").symlink_to("loop")
    for source, out in ((IN, Path("loop")), (IN, Path("loop/out.jsonl")), (Path("loop"), OUT)):
        assert answer(source=source, out=out) == 2
        assert len(capsys.readouterr().err.splitlines()) == 1


def test_a_file_whose_name_is_no_utf8_is_answered_like_any_other() -> None:
    source = Path(os.fsdecode(b"in\xff.jsonl"))
    write(source, [row(0)])
    assert answer(source=source) == 0
    assert json.loads(Path("out.jsonl.manifest.json").read_text())["input"]["path"] == "in?.jsonl"
