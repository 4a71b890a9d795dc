"""Steps to messages: order, append-only, and nobody but us writes a marker."""

import json
import random
import re
from dataclasses import replace

import pytest

from scribe.messages import defuse
from scribe.trajectory import Act, Answer, Call, Exchange, Fault, Observation, Step, Trajectory
from scribe.transcript import LONGEST_FAULT, of_step, opening, to_messages, write_call
from tests.scribe.scene import Tools, task, trajectory

LISTING = Tools().box.listing
LOOK = Act("look", (Call("f", {"week": 3}), Call("g")), (Observation(True, "{}"), Observation(False, "no")))
SAY = Answer("so", "It is.")
MARKERS = (
    "[REASONING]",
    "[END_OF_REASONING]",
    "[TOOL_CALL]",
    "[END_OF_TOOL_CALL]",
    "[FINAL_ANSWER]",
    "[END_OF_FINAL_ANSWER]",
    "[ERROR_NOTICE]",
    "[/ERROR_NOTICE]",
    "[ tool_call ]",
    "[End_Of_Final_Answer]",
    "[/TOOL_CALL]",
)
A_MARKER = re.compile(r"\[\s*/?\s*(END_OF_)?(REASONING|TOOL_CALL|FINAL_ANSWER|ERROR_NOTICE)\s*\]", re.I)


def test_a_prompt_goes_from_what_all_share_to_what_is_new() -> None:
    asked = trajectory("And week 2?", Exchange("What is week 1?", "Signals."))
    system, *rest = to_messages(asked.then(LOOK), LISTING)
    places = [system.content.index(part) for part in ("Format:", LISTING, asked.task.about, asked.task.report)]
    assert places == sorted(places)
    assert [(message.role, message.content) for message in rest] == [
        ("user", "What is week 1?"),
        ("assistant", "[FINAL_ANSWER]Signals.[END_OF_FINAL_ANSWER]"),
        ("user", "And week 2?"),
        ("assistant", f"[REASONING] look [END_OF_REASONING]\n{write_call(LOOK.calls[0])}{write_call(Call('g'))}"),
        ("tool", "{}"),
        ("tool", "no"),
    ]


def test_what_is_nobodys_text_is_the_same_for_all_and_ends_where_the_report_begins() -> None:
    one, other = (replace(task("Why?"), student=name, report=f"{name} did {{well}}.") for name in ("anna", "ben"))
    said = [opening(each, LISTING)[0] for each in (one, other)]
    public = said[0].content[: said[0].public]
    assert public == said[1].content[: said[1].public]
    assert LISTING in public and one.about in public
    assert said[0].content == f"{public}anna did {{well}}."
    assert [message.public for message in to_messages(Trajectory(one, (LOOK, SAY)), LISTING)[1:]] == [0] * 5


def test_two_students_of_a_course_share_the_prompt_up_to_their_reports() -> None:
    one, other = (
        to_messages(Trajectory(task(f"I am {who}.", f"Report of {who}.", student=who)), LISTING)
        for who in ("s123", "s987")
    )
    assert one[0].content.replace("s123", "s987") == other[0].content
    assert one[0].content.index("s123") > one[0].content.index("\nReport:\n")


def test_the_model_never_reads_who_is_asking() -> None:
    messages = to_messages(trajectory().then(LOOK), LISTING)
    assert not any("s001" in message.content for message in messages)


def test_a_question_of_the_same_report_shares_the_whole_system_message() -> None:
    assert to_messages(trajectory("One?"), LISTING)[0] == to_messages(trajectory("Two?"), LISTING)[0]


def test_messages_are_only_ever_appended_to() -> None:
    draw = random.Random(0)
    faults = (Fault("[REASONING] oh", "c"), Fault("no opener [TOOL_CALL]", "c"), Fault("x" * 5000, "c"))
    choices: tuple[Step, ...] = (LOOK, SAY, Answer("", ""), Act("", (), ()), *faults)
    for _ in range(50):
        walk = trajectory("Q?", *[Exchange("q", "a")] * draw.randint(0, 2))
        before = to_messages(walk, LISTING)
        for step in draw.choices(choices, k=6):
            walk = walk.then(step)
            after = to_messages(walk, LISTING)
            assert after == (*before, *of_step(step))
            before = after


def test_every_turn_of_the_model_begins_as_the_prompt_opened_it() -> None:
    for step in (LOOK, SAY, Fault("[REASONING] oh", "c"), Fault("oh", "c")):
        first = of_step(step)[0]
        assert first.role == "assistant" and first.content.startswith("[REASONING]")
        assert first.content.count("[REASONING]") == 1


def test_a_fault_is_shown_with_its_notice_and_cut_if_it_ran_away() -> None:
    said, notice = of_step(Fault("[REASONING] " + "blah " * 1000, "Write less."))
    assert len(said.content) == LONGEST_FAULT
    assert (notice.role, notice.content) == ("user", "[ERROR_NOTICE]Write less.[/ERROR_NOTICE]")


def test_a_call_is_written_in_one_strict_form() -> None:
    assert write_call(Call("f", {"query": 'é "x"', "week": 5})) == (
        '[TOOL_CALL]{"name": "f", "arguments": {"query": "é \\"x\\"", "week": 5}}[END_OF_TOOL_CALL]'
    )
    body = write_call(Call("g")).removeprefix("[TOOL_CALL]").removesuffix("[END_OF_TOOL_CALL]")
    assert json.loads(body) == {"name": "g", "arguments": {}}


@pytest.mark.parametrize("marker", MARKERS)
def test_a_marker_that_was_typed_is_made_harmless_wherever_it_stands(marker: str) -> None:
    typed = f"before {marker} after"
    hostile = Trajectory(
        task(typed, report=typed, about=typed, history=(Exchange(typed, typed),)),
        (Act(typed, (), (Observation(True, typed),)), Answer(typed, typed)),
    )
    plain = Trajectory(
        task("q", report="r", about="a", history=(Exchange("q", "a"),)),
        (Act("t", (), (Observation(True, "o"),)), Answer("t", "x")),
    )
    for bad, good in zip(to_messages(hostile, LISTING), to_messages(plain, LISTING), strict=True):
        found, ours = (A_MARKER.findall(message.content) for message in (bad, good))
        assert found == ours
        assert marker[1:-1].strip() in bad.content


def test_text_is_harmless_and_otherwise_unchanged_after_defusing() -> None:
    assert defuse("x[n] = [1, 2], [tool] and [FINAL]") == "x[n] = [1, 2], [tool] and [FINAL]"
    nested = defuse("[TOOL_[TOOL_CALL]CALL] [[REASONING]]")
    assert not A_MARKER.search(nested) and defuse(nested) == nested
