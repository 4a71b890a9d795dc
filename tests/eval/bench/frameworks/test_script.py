"""What the replaying server is to say is found in what it is asked."""

import pytest

from eval.bench.frameworks.script import Script, from_json, part, to_json
from scribe.errors import UsageError
from scribe.trajectory import Act, Answer, Call, Exchange, Task, Trajectory
from tests.eval.bench.frameworks import played


def request(script: Script, at: int, turns: int = 0) -> list[dict[str, str]]:
    wanted = script.parts[at]
    asked = [{"role": "system", "content": wanted.told}, {"role": "user", "content": f"Task: {wanted.asked}"}]
    return asked + [{"role": "assistant", "content": "so"}] * turns


def test_the_turn_that_is_due_follows_from_the_turns_that_are_there() -> None:
    script = played.script()
    first, second = (script.reply(request(script, 0, turns)) for turns in (0, 1))
    assert first.calls == ({"name": "map_week_to_topic", "arguments": {"week": 2}},)
    assert (second.answer, second.tokens) == ("Week 2 was about signals.", 6)


def test_a_text_may_come_in_parts() -> None:
    script = played.script()
    told, asked = request(script, 0)
    parts = [{"role": m["role"], "content": [{"type": "text", "text": m["content"]}]} for m in (told, asked)]
    assert script.reply(parts) == script.parts[0].replies[0]


def test_the_same_question_of_two_students_and_a_question_within_another_are_told_apart() -> None:
    def said(question: str, text: str, student: str) -> tuple[Trajectory, tuple[int]]:
        return played.done(question, (Answer("", text),), student), (1,)

    questions = (("Why?", "a", "s010"), ("Why?", "b", "s020"), ("Why? Really.", "c", "s010"))
    script = Script("dsp", (), tuple(part(*said(*each)) for each in questions))
    assert [script.reply(request(script, at)).answer for at in range(3)] == ["a", "b", "c"]


def test_an_answer_that_our_checks_refused_is_an_answer_to_a_framework() -> None:
    assert [reply.answer for reply in played.script().parts[1].replies] == ["Yes, very."]


def test_a_question_that_ended_with_a_call_ends_with_an_answer() -> None:
    act = Act("", (Call("map_week_to_topic", {"week": 1}),), ())
    replies = part(played.done("Which?", (act,)), (3,)).replies
    assert [bool(reply.calls) for reply in replies] == [True, False]


def test_a_framework_is_told_the_rules_the_course_and_the_report_but_not_our_format() -> None:
    told = played.script().parts[0].told
    assert told.startswith("You are Scribe.")
    assert told.endswith("The report of s010: all is well.")
    assert "DSP has 10 weeks." in told
    assert "[TOOL_CALL]" not in told and "{" not in told


def test_what_is_not_in_the_script_is_refused() -> None:
    script = played.script()
    with pytest.raises(UsageError, match="no question"):
        script.reply([{"role": "user", "content": "What else?"}])
    with pytest.raises(UsageError, match="turn 3"):
        script.reply(request(script, 0, 2))
    with pytest.raises(UsageError, match="history"):
        part(Trajectory(Task("dsp", "s010", "And now?", "", history=(Exchange("a", "b"),))), ())


def test_a_script_survives_being_written_down() -> None:
    assert from_json(to_json(played.script())) == played.script()
