"""Tutoring dialogues by files: what is planned, refused, played back and kept."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from eval.tutoring.students.learning import LearningSettings, Listening
from finetune.conversations.writer_files import read_responses
from finetune.tutoring.dataset import choose_dialogues, make_rows
from finetune.tutoring.plan import PlannedDialogue, plan_dialogues
from finetune.tutoring.playing import DialoguePlayer, OpenTurn, PlayedDialogue
from finetune.tutoring.sheets import pack_answers, write_sheets, write_turn
from scribe.decoding.chat import ChatTokenizer
from scribe.decoding.chat_format import LLAMA3
from scribe.tutor.prompting import write_prompt
from tests.eval.tutoring.scripted import ScriptedTester

PLAN = PlannedDialogue("d0001", "final-grade", "low", "English", 3)


def encode(text: str, special: bool) -> list[int]:
    return [ord(each) + 1000 * special for each in text]


def play(turns: dict[str, str]) -> PlayedDialogue | OpenTurn:
    return DialoguePlayer(ScriptedTester(), Listening(LearningSettings(rate=1.0))).play(PLAN, turns)


def held(says: str = "Hello! What have you tried?") -> PlayedDialogue:
    played = play({f"d0001#{number}.1": write_turn("A note.", says) for number in range(1, 9)})
    assert isinstance(played, PlayedDialogue)
    return played


def test_a_plan_is_even_over_tasks_and_levels_and_a_third_is_french() -> None:
    planned = plan_dialogues([f"task{number}" for number in range(9)], 81, seed=1)
    assert set(Counter((each.task, each.level) for each in planned).values()) == {3}
    assert set(Counter((each.task, each.level) for each in planned if each.language == "French").values()) == {1}


def test_a_dialogue_without_turns_asks_with_the_prompt_that_runs() -> None:
    waiting = play({})
    assert isinstance(waiting, OpenTurn)
    assert waiting.id == "d0001#1.1"
    assert [each["content"] for each in waiting.prompt] == [each.content for each in write_prompt(waiting.session)]


@pytest.mark.parametrize(
    ("raw", "complaint"),
    [
        ("Hello there", "The format is"),
        (write_turn("A note.", " "), "empty"),
        (write_turn("A note.", "word " * 61), "61 words"),
    ],
)
def test_a_refused_turn_is_asked_again_with_the_complaint(raw: str, complaint: str) -> None:
    waiting = play({"d0001#1.1": raw})
    assert isinstance(waiting, OpenTurn)
    assert waiting.id == "d0001#1.2"
    assert complaint in waiting.prompt[-1]["content"]


def test_a_dialogue_ends_after_eight_rounds_and_the_same_turns_give_the_same() -> None:
    assert held().session.rounds == 8
    assert held() == held()


def test_only_dialogues_whose_student_gained_are_kept_and_the_others_counted() -> None:
    gained = replace(held(), before=1, after=3)
    kept, dropped = choose_dialogues([gained, replace(gained, after=1), replace(gained, end="refused")])
    assert kept == [gained]
    assert dropped.total() == 2


def test_a_row_is_the_prompt_that_runs_and_the_turn() -> None:
    chat, dialogue = ChatTokenizer(LLAMA3, encode), held()
    rows, long = make_rows(dialogue, chat, 10**6)
    assert (len(rows), long) == (8, 0)
    for at, row in enumerate(rows):
        prompt = chat.prompt_ids(write_prompt(replace(dialogue.session, turns=dialogue.session.turns[: 2 * at])))
        assert row.ids[: len(prompt)].tolist() == prompt
        assert not row.parts[: len(prompt)].any()
        assert row.parts[len(prompt) :].all() or row.parts[len(prompt) : -1].any()


def test_what_a_writer_answers_on_a_sheet_comes_back_as_responses(tmp_path: Path) -> None:
    waiting = play({})
    assert isinstance(waiting, OpenTurn)
    (sheet,) = write_sheets(tmp_path, 1, [waiting], 2)
    assert "## d0001#1.1" in sheet.read_text(encoding="utf-8")
    answers = tmp_path / "answers.jsonl"
    answers.write_text('{"id": "d0001#1.1", "thought": "Open.", "text": "Hello!"}\n', encoding="utf-8")
    assert pack_answers([answers], tmp_path / "1.responses.jsonl", [waiting.id]) == 1
    assert read_responses(tmp_path / "1.responses.jsonl") == {waiting.id: write_turn("Open.", "Hello!")}
