"""Fresh questions asked in order, each follow-up with the real answer before it."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from eval.readers.examine import QUESTIONS, ReaderQuestion, examine, group_conversations, main, read_questions
from scribe import records
from scribe.plumbing.errors import ScribeError
from scribe.trajectory import Exchange
from tests.app.told import final, mini_courses, scripted
from tools.assembly.settings import AssistantSettings

ONE = {"id": "a/1", "course": "mini", "student": "s001", "theory": "nr", "question": "What is week 2 about?"}
NEXT = ONE | {"id": "a/2", "question": "And then?", "follows": "a/1"}


def written(path: Path, *lines: dict[str, str]) -> Path:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def test_the_questions_that_come_with_scribe_are_as_wide_as_they_should_be() -> None:
    questions = read_questions(QUESTIONS)
    assert len(questions) == 100 and {asked.course for asked in questions} == {"dsp", "geo", "va", "lnv"}
    assert sum(bool(asked.follows) for asked in questions) == 25


def test_a_follow_up_hears_the_real_answer_before_it(tmp_path: Path) -> None:
    settings = (
        AssistantSettings()
        .with_changes("courses", folder=str(mini_courses(tmp_path)))
        .with_changes("model", parallel=1)
    )
    make = scripted(final("It is about you."), final("Then comes more."))
    questions = read_questions(written(tmp_path / "q.jsonl", ONE, NEXT))
    assert examine(settings, questions, tmp_path / "out.jsonl", make) == 0
    first, second = records.read(tmp_path / "out.jsonl")
    assert (first.id, second.id) == ("a/1", "a/2") and not first.task.history
    assert second.task.history == (Exchange(ONE["question"], "It is about you."),)
    assert second.answer == "Then comes more."


def test_an_unanswered_question_leaves_its_follow_up_without_history(tmp_path: Path) -> None:
    settings = (
        AssistantSettings()
        .with_changes("courses", folder=str(mini_courses(tmp_path)))
        .with_changes("model", parallel=1)
    )
    questions = read_questions(written(tmp_path / "q.jsonl", ONE, NEXT))
    assert examine(settings, questions, tmp_path / "out.jsonl", scripted(*["hm"] * 30)) == 2
    assert not any(record.task.history for record in records.read(tmp_path / "out.jsonl"))


def test_what_depends_on_each_other_stays_together() -> None:
    first = ReaderQuestion("a", "mini", "s001", "nr", "?")
    asked = [first, replace(first, id="b"), replace(first, id="c", follows="a"), replace(first, id="d", follows="c")]
    assert [[each.id for each in group] for group in group_conversations(asked)] == [["a", "c", "d"], ["b"]]


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ((NEXT,), r"q\.jsonl:1: 'a/2' is there twice, or follows what is not before it"),
        ((ONE, ONE), r"q\.jsonl:2"),
        ((ONE, {"id": "x"}), r"q\.jsonl:2: course"),
    ],
)
def test_questions_that_cannot_be_used_are_named(
    tmp_path: Path, lines: tuple[dict[str, str], ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path / "q.jsonl", *lines)
    with pytest.raises(ScribeError, match=said):
        read_questions(path)
    assert main([str(tmp_path / "out"), "--questions", str(path)]) == 2
    assert "q.jsonl" in capsys.readouterr().err
