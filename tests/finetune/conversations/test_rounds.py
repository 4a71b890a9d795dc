"""A writer by files: what it is asked next, how its turns are played back, and what is refused."""

import json
from dataclasses import asdict
from pathlib import Path

import pytest

from finetune.conversations.rounds import WriterRound, play_back
from finetune.conversations.step import find_rounds, make_step
from finetune.conversations.writer_files import Question, read_questions, read_responses
from finetune.settings import TrajectorySettings
from scribe import records
from scribe.plumbing.errors import RecordError, UsageError
from scribe.trajectory import Act, Stop
from tools.assembly.assistant import Assistant

FIRST = Question("a", "dsp", "s041", "nr", "What is week 6 about?")
SECOND = Question("b", "dsp", "s041", "nr", "And the week after?", follows="a")
CALL = (
    "[REASONING] The plan tells. [END_OF_REASONING]\n"
    '[TOOL_CALL]{"name": "map_week_to_topic", "arguments": {"week": 6}}[END_OF_TOOL_CALL]'
)
ANSWER = "[REASONING] So. [END_OF_REASONING]\n[FINAL_ANSWER]It is about Aliasing and sampling.[END_OF_FINAL_ANSWER]"


def ask(room: Assistant, **turns: str) -> WriterRound:
    said = {f"{id[0]}#{id[1]}": text for id, text in turns.items()}
    return play_back([FIRST, SECOND], said, {"dsp": room})


def test_the_first_round_asks_only_what_follows_nothing(room: Assistant) -> None:
    assert list(ask(room).prompts) == ["a#1"]


def test_a_request_holds_the_brief_and_the_whole_prompt_of_the_model(room: Assistant) -> None:
    (messages,) = ask(room).prompts.values()
    assert "very good teaching assistant" in messages[0]["content"]
    assert room.course.students["s041"].reports["nr"].strip() in messages[1]["content"]
    assert messages[-1] == {"role": "user", "content": "What is week 6 about?"}


def test_a_call_is_run_and_its_result_stands_in_the_next_request(room: Assistant) -> None:
    ((id, messages),) = ask(room, a1=CALL).prompts.items()
    assert id == "a#2"
    assert "Sampling and interpolation" in messages[-1]["content"]


def test_a_follow_up_is_asked_once_the_question_before_has_its_answer(room: Assistant) -> None:
    found = ask(room, a1=CALL, a2=ANSWER)
    assert found.ended["a"].stop is Stop.ANSWERED and len(found.ended["a"].acts) == 1
    ((id, messages),) = found.prompts.items()
    assert id == "b#1"
    assert any("It is about Aliasing and sampling." in message["content"] for message in messages)


def test_a_turn_that_is_none_goes_back_to_the_writer_with_what_was_wrong(room: Assistant) -> None:
    ((id, messages),) = ask(room, a1="Week 6 is about sampling.").prompts.items()
    assert id == "a#2" and "[ERROR_NOTICE]" in messages[-1]["content"]


def test_only_a_question_for_practice_is_asked_for_a_mistake(room: Assistant) -> None:
    slip = Question("s", "dsp", "s041", "nr", "What is week 6 about?", slip=True)
    plain, wrong = (play_back([one], {}, {"dsp": room}).prompts[f"{one.id}#1"][0]["content"] for one in (FIRST, slip))
    assert "For practice" in wrong and "For practice" not in plain


def write_questions(path: Path, *questions: Question) -> None:
    path.write_text("".join(json.dumps(asdict(one)) + "\n" for one in questions), encoding="utf-8")


def respond(path: Path, **texts: str) -> None:
    lines = (
        {"custom_id": id.replace("_", "#"), "response": {"status_code": 200, "body": {"choices": [
            {"message": {"content": text}}
        ]}}}
        for id, text in texts.items()
    )  # fmt: skip
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")


def test_the_step_goes_from_round_to_round_and_leaves_the_trajectories(tmp_path: Path) -> None:
    questions, out = tmp_path / "questions.jsonl", tmp_path / "trajectories.jsonl"
    write_questions(questions, FIRST)
    settings = TrajectorySettings(source="files", questions=str(questions))
    for number, turn in enumerate((CALL, ANSWER), start=1):
        with pytest.raises(UsageError, match=f"{number}.requests.jsonl"):
            make_step(settings, out).run()
        respond(find_rounds(out) / f"{number}.responses.jsonl", **{f"a_{number}": turn})
    make_step(settings, out).run()
    (record,) = records.read(out)
    assert record.id == "a" and isinstance(record.steps[0], Act) and record.answer is not None


def test_failed_requests_are_asked_again(tmp_path: Path) -> None:
    path = tmp_path / "1.responses.jsonl"
    path.write_text('{"custom_id": "a#1", "error": {"message": "overloaded"}}\n', encoding="utf-8")
    assert read_responses(path) == {}


@pytest.mark.parametrize(
    "line", ["not json", '{"response": {}}', '{"custom_id": "a", "response": {"status_code": 200}}']
)
def test_what_is_no_response_is_named_by_file_and_line(tmp_path: Path, line: str) -> None:
    path = tmp_path / "1.responses.jsonl"
    path.write_text(f'{{"custom_id": "x", "error": 1}}\n{line}\n', encoding="utf-8")
    with pytest.raises(RecordError, match=r"1\.responses\.jsonl:2"):
        read_responses(path)


@pytest.mark.parametrize(
    ("rows", "complaint"),
    [
        (['{"id": "a"}'], ":1: course: Field required"),
        (["["], ":1: not JSON"),
        ([FIRST, FIRST], ":2: the id 'a' stands twice"),
        ([SECOND, FIRST], ":1: it follows 'a'"),
    ],
)
def test_bad_questions_are_named_by_file_and_line(tmp_path: Path, rows: list[object], complaint: str) -> None:
    path = tmp_path / "questions.jsonl"
    if all(isinstance(row, Question) for row in rows):
        write_questions(path, *(row for row in rows if isinstance(row, Question)))
    else:
        path.write_text("\n".join(map(str, rows)), encoding="utf-8")
    with pytest.raises(RecordError, match=complaint):
        read_questions(path)
