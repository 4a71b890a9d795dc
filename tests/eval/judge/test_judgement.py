"""Which changes make another text of an answer, and which do not."""

from dataclasses import replace

import pytest

from eval.judge.items import JudgeCase
from eval.judge.judgement import digest_answer
from eval.judge.local import LocalChecks
from scribe import records
from scribe.grounding import Grounding, Lexicon
from scribe.records import Record
from scribe.trajectory import Act, Call, Exchange, Fault, Observation, Usage
from tests.eval.judge.answered import record

GIVEN = record()
TASK = GIVEN.task
ACT = Act("I look.", (Call("map_week_to_topic", {"week": 6}),), (Observation(True, "{}"),))


@pytest.mark.parametrize(
    "other",
    [
        record("Week 6 is about filters."),
        record(question="What is week 7 about?"),
        replace(GIVEN, task=replace(TASK, report="Your quiz score was 78 percent.")),
        replace(GIVEN, task=replace(TASK, history=(Exchange("And?", "So."),))),
        replace(GIVEN, steps=(ACT, *GIVEN.steps[1:])),
        replace(GIVEN, steps=(replace(ACT, thought="Hm."), *GIVEN.steps[1:])),
        replace(GIVEN, steps=(replace(ACT, calls=(Call("map_week_to_topic", {"week": 7}),)), *GIVEN.steps[1:])),
        replace(GIVEN, steps=(Fault("raw", "No marker."), *GIVEN.steps)),
    ],
)
def test_another_text_has_another_digest(other: Record) -> None:
    assert digest_answer(other) != digest_answer(GIVEN)


def test_times_tokens_and_names_make_no_other_text() -> None:
    other = replace(GIVEN, id="q9", usage=Usage(1, 2, 3, 4.0), model={"name": "x"}, task=replace(TASK, student="s2"))
    assert digest_answer(other) == digest_answer(GIVEN)


def test_a_file_keeps_the_digest_whatever_is_in_it() -> None:
    odd = record("half, é, \u2028 and a \x00")
    assert digest_answer(records.from_json(records.to_json(odd))) == digest_answer(odd)
    assert len(digest_answer(odd)) == 16
    assert int(digest_answer(odd), 16)


def test_the_checks_say_which_text_they_read() -> None:
    checks = LocalChecks(lambda record: Grounding(Lexicon()))
    assert {each.of for each in checks.judge(JudgeCase("run", GIVEN))} == {digest_answer(GIVEN)}
