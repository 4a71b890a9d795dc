"""Trajectories as training examples: the ids of serving, and weight exactly where the model ought to learn."""

from dataclasses import replace

import pytest
from tokenizers import Tokenizer

from finetune.examples import BACKGROUND, Tail, group, tail
from finetune.vocabulary import encode as encoded
from scribe.backends.chat import ChatTokenizer, Encode
from scribe.backends.chat.llama3 import LLAMA3
from scribe.trajectory import Act, Answer, Call, Exchange, Fault, Observation, Part, Trajectory
from scribe.transcript import to_messages
from tests.scribe.scene import Tools, task, trajectory

LISTING = Tools().box.listing
LOOK = Act("I look.", (Call("f", {"week": 3}),), (Observation(True, '{"title": "Filters"}'),))
REFUSED = Act("I guess.", (Call("ff", {}),), (Observation(False, '{"error": "no"}'),))
WRONG = Fault("[REASONING] I know. [END_OF_REASONING]\n[FINAL_ANSWER]99[END_OF_FINAL_ANSWER]", "Not so.")
SAY = Answer("I know.", "In week 3 it is Filters.")
WHOLE = trajectory("And then?", Exchange("Hi", "Hello."))
for _step in (LOOK, WRONG, REFUSED, SAY):
    WHOLE = WHOLE.then(_step)


@pytest.fixture
def encode(tokenizer: Tokenizer) -> Encode:
    return lambda text, special: encoded(tokenizer, text, special)


def texts(made: Tail, weight: float, tokenizer: Tokenizer) -> str:
    """What bears this weight, as text."""
    chosen = [int(i) for i, w in zip(made.ids, made.weights, strict=True) if w == pytest.approx(weight)]
    return str(tokenizer.decode(chosen, skip_special_tokens=False))


def test_what_is_taught_is_what_the_model_wrote_and_should_write(tokenizer: Tokenizer, encode: Encode) -> None:
    assert texts(tail(WHOLE, LISTING, encode), 1.0, tokenizer) == (
        ' I look. [END_OF_REASONING]\n[TOOL_CALL]{"name": "f", "arguments": {"week": 3}}[END_OF_TOOL_CALL]'
        f"{LLAMA3.end_of_turn} I know. [END_OF_REASONING]\n"
        f"[FINAL_ANSWER]In week 3 it is Filters.[END_OF_FINAL_ANSWER]{LLAMA3.end_of_turn}"
    )


def test_faults_and_refused_calls_are_shown_but_not_taught(tokenizer: Tokenizer, encode: Encode) -> None:
    silent = texts(tail(WHOLE, LISTING, encode), 0.0, tokenizer)
    assert "[FINAL_ANSWER]99[END_OF_FINAL_ANSWER]" in silent and '"name": "ff"' in silent
    assert "Filters" not in silent and "Not so" not in silent
    half = replace(LOOK, calls=LOOK.calls * 2, observations=(LOOK.observations[0], REFUSED.observations[0]))
    assert not texts(tail(trajectory().then(half), LISTING, encode), 1.0, tokenizer)


def test_questions_results_notices_and_earlier_answers_count_a_little(
    tokenizer: Tokenizer, encode: Encode
) -> None:
    made = tail(WHOLE, LISTING, encode)
    heard = texts(made, BACKGROUND, tokenizer)
    for part in ("And then?", "Hello.[END_OF_FINAL_ANSWER]", '{"title": "Filters"}', "Not so.", "assistant"):
        assert part in heard
    assert {round(float(weight), 3) for weight in made.weights} == {0.0, BACKGROUND, 1.0}


def test_prefix_and_tail_are_the_ids_of_the_serving_template(encode: Encode) -> None:
    made, chat = group([WHOLE], LISTING, encode), ChatTokenizer(LLAMA3, encode)
    whole = [*made.prefix.tolist(), *made.tails[0].ids.tolist()]
    assert whole == [i for ids, _ in chat.labelled(to_messages(WHOLE, LISTING)) for i in ids]
    for count in range(len(WHOLE.steps)):
        prompt = chat.prompt_ids(to_messages(replace(WHOLE, steps=WHOLE.steps[:count]), LISTING))
        assert whole[: len(prompt)] == prompt


def test_a_group_shares_one_prefix_whose_end_is_the_report(tokenizer: Tokenizer, encode: Encode) -> None:
    other = trajectory("Another question?").then(SAY)
    made = group([WHOLE, other], LISTING, encode)
    assert made.prefix.tolist() == group([other], LISTING, encode).prefix.tolist()
    assert len(made.tails) == 2
    own = tokenizer.decode(made.prefix[made.report_start :].tolist(), skip_special_tokens=False)
    assert own == f"\nReport:\n{other.task.report}{LLAMA3.end_of_turn}"


def test_other_reports_are_no_group(encode: Encode) -> None:
    stranger = Trajectory(task(report="Another report."), (SAY,))
    with pytest.raises(ValueError, match="2 different openings"):
        group([WHOLE, stranger], LISTING, encode)


def test_what_is_too_long_is_left_out(encode: Encode) -> None:
    short = trajectory("Short?").then(SAY)
    made = group([WHOLE, short], LISTING, encode, longest=len(tail(short, LISTING, encode).ids))
    assert [len(each.ids) for each in made.tails] == [len(tail(short, LISTING, encode).ids)]


def test_what_was_answered_in_parts_is_left_out(encode: Encode) -> None:
    parted = trajectory("Both?").then(Part("I know.", "One?", "Filters.")).then(SAY)
    short = trajectory("Short?").then(SAY)
    assert [each.ids.tolist() for each in group([parted, short], LISTING, encode).tails] == [
        tail(short, LISTING, encode).ids.tolist()
    ]
