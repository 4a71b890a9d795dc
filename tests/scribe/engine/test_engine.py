"""Many conversations at once over a scripted context, which notices every token that is not where it should be."""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import pytest
from llguidance import LLTokenizer

from scribe.backend import Completion, Constraint, Sampling
from scribe.backends.decoding import Decoder
from scribe.backends.gguf_file import BATCH
from scribe.backends.template import Encode, prompt_of
from scribe.backends.writing import Logits
from scribe.engine.context import Piece
from scribe.engine.engine import Engine
from scribe.errors import BackendError, ContextFull, QueueFull, UsageError
from scribe.messages import Message
from tests.scribe.backends.tiny import make_tokenizer
from tests.scribe.engine.conftest import MakeEngine
from tests.scribe.engine.scripted import LETTERS, SIZE, ScriptedContext, said_behind

RULES = "You are Scribe. These are the rules and the tools, the same for every student of the course, again and again. "
TURN = 24


def prompt(question: str, report: str = "In week 5 you watched 3 videos.", rules: str = RULES) -> list[Message]:
    return [Message("system", rules + report, len(rules)), Message("user", question)]


def ask(engine: Engine, question: str, owner: str = "", length: int = TURN, **named: str) -> Completion:
    return engine.complete(prompt(question, **named), Sampling(max_tokens=length), None, None, owner)


def expected(encode: Encode, messages: list[Message], length: int = TURN) -> str:
    """What the scripted model says behind a prompt, one token after the other."""
    held, text = list(prompt_of(messages, encode).ids), ""
    for _ in range(length):
        letter = LETTERS[said_behind(held)]
        text += letter
        held += encode(letter, False)
    return text


def test_many_threads_get_just_what_each_would_get_alone(make_engine: MakeEngine, encode: Encode) -> None:
    engine, context = make_engine(parallel=5)
    asked = [(f"What is week {week} about, {name}?", name) for week in range(8) for name in ("anna", "ben", "carl")]
    with ThreadPoolExecutor(12) as pool:
        said = list(pool.map(lambda each: ask(engine, *each), asked))
    assert [each.text for each in said] == [expected(encode, prompt(question)) for question, _ in asked]
    assert {each.finish for each in said} == {"length"}
    assert max(len(step) for step in context.steps) == 5


def test_a_request_joins_while_another_is_under_way_and_leaves_before_it(make_engine: MakeEngine) -> None:
    gate = threading.Semaphore(0)
    engine, context = make_engine(gate=gate)
    with ThreadPoolExecutor(2) as pool:
        long = pool.submit(ask, engine, "A long one?", "anna", 40)
        gate.release(6)
        until(lambda: len(context.steps) == 6 and engine.counters().steps == 6)
        short = pool.submit(ask, engine, "A short one?", "ben", 3)
        until(lambda: engine.counters().waiting + engine.counters().running == 2)
        gate.release(8)
        assert short.result().completion_tokens == 3
        assert not long.done()
        gate.release(100)
        assert long.result().completion_tokens == 40
    assert [len(step) for step in context.steps].count(2) in (3, 4)


def until(true: Callable[[], bool]) -> None:
    """Wait for another thread to get there."""
    for _ in range(6000):
        if true():
            return
        threading.Event().wait(0.01)
    raise AssertionError("it never came to that")


def test_the_next_step_of_a_conversation_reads_only_what_is_new(make_engine: MakeEngine, encode: Encode) -> None:
    engine, context = make_engine()
    first = prompt("Why?")
    one = engine.complete(first, Sampling(max_tokens=TURN), None, None, "anna")
    second = [*first, Message("assistant", f"[REASONING]{one.text}"), Message("tool", '{"week": 5}')]
    two = engine.complete(second, Sampling(max_tokens=TURN), None, None, "anna")
    assert two.text == expected(encode, second)
    assert one.prompt_tokens <= two.cached_tokens < two.prompt_tokens
    assert context.loads == []  # it went on in its place


def test_rules_are_read_once_and_a_report_once_for_its_student(make_engine: MakeEngine, encode: Encode) -> None:
    engine, _ = make_engine(parallel=2)
    reports = {name: f"This is the report on {name}. " * 3 for name in ("anna", "ben", "carla")}
    asked = [(f"Question {turn}?", name) for turn in range(4) for name in reports]
    with ThreadPoolExecutor(6) as pool:
        list(pool.map(lambda each: ask(engine, *each, report=reports[each[1]]), asked))
    prompts = [prompt_of(prompt(question, reports[name]), encode).ids for question, name in asked]
    distinct = {ids[: at + 1] for ids in prompts for at in range(len(ids))}
    counters = engine.counters()
    assert counters.prompt_tokens_evaluated <= 1.05 * len(distinct)
    assert counters.prompt_tokens_seen == counters.prompt_tokens_cached + counters.prompt_tokens_evaluated


def test_those_who_need_what_somebody_is_reading_wait_for_it(make_engine: MakeEngine) -> None:
    gate = threading.Semaphore(0)
    engine, _ = make_engine(parallel=3, gate=gate)
    rules = RULES * 12  # more than one step reads
    with ThreadPoolExecutor(3) as pool:
        done = [pool.submit(ask, engine, f"Is it {name}?", name, 5, rules=rules) for name in ("anna", "ben", "carl")]
        until(lambda: engine.counters().running + engine.counters().waiting == 3)
        gate.release(1000)
        said = [each.result() for each in done]
    assert sorted(each.cached_tokens > 200 for each in said) == [False, True, True]
    assert max(each.queue_seconds for each in said) > 0


def test_an_owner_who_asks_much_does_not_keep_another_waiting(make_engine: MakeEngine) -> None:
    gate = threading.Semaphore(0)
    engine, _ = make_engine(parallel=1, gate=gate)
    order: list[str] = []

    def asking(name: str, at: int) -> None:
        ask(engine, f"Question {at} of {name}?", name, 4)
        order.append(name)

    with ThreadPoolExecutor(8) as pool:
        pool.submit(asking, "greedy", 0)
        until(lambda: engine.counters().running == 1)
        for at in range(1, 6):
            pool.submit(asking, "greedy", at)
        until(lambda: engine.counters().waiting == 5)
        pool.submit(asking, "modest", 0)
        until(lambda: engine.counters().waiting == 6)
        gate.release(1000)
    assert order.index("modest") <= 2
    assert len(order) == 7


def test_who_cancels_frees_the_place_at_once(make_engine: MakeEngine, encode: Encode) -> None:
    gate = threading.Semaphore(0)
    engine, context = make_engine(parallel=1, gate=gate)
    heard: list[str] = []

    def leave(text: str) -> bool:
        heard.append(text)
        return len("".join(heard)) < 3

    with ThreadPoolExecutor(2) as pool:
        left = pool.submit(engine.complete, prompt("Never mind?"), Sampling(max_tokens=500), None, leave, "anna")
        until(lambda: engine.counters().running == 1)
        next_one = pool.submit(ask, engine, "And me?", "ben")
        gate.release(5)
        assert left.result().finish == "cancelled"
        gate.release(100)
        assert next_one.result().text == expected(encode, prompt("And me?"))
    assert left.result().text == "".join(heard) == expected(encode, prompt("Never mind?"))[: len("".join(heard))]
    assert len(context.steps) < 60
    assert engine.counters().cancelled == 1


def test_who_waits_in_line_can_leave_it(make_engine: MakeEngine) -> None:
    gate = threading.Semaphore(0)
    engine, _ = make_engine(parallel=1, gate=gate)
    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(ask, engine, "First?", "anna", 5)
        until(lambda: engine.counters().running == 1)
        second = engine.complete(prompt("Second?"), Sampling(), None, lambda _: False, "ben")
        assert (second.finish, second.text, second.completion_tokens) == ("cancelled", "", 0)
        gate.release(100)
        assert first.result().completion_tokens == 5
    until(lambda: engine.counters().waiting == 0)


def test_too_many_who_wait_are_refused_and_the_others_served(make_engine: MakeEngine) -> None:
    gate = threading.Semaphore(0)
    engine, _ = make_engine(parallel=1, waiting=2, gate=gate)
    with ThreadPoolExecutor(3) as pool:
        served = [pool.submit(ask, engine, "One?", "anna")]
        until(lambda: engine.counters().running == 1)
        served += [pool.submit(ask, engine, f"{name}?", name) for name in ("ben", "carl")]
        until(lambda: engine.counters().waiting == 2)
        with pytest.raises(QueueFull, match="2 requests wait for the model already; try again"):
            ask(engine, "And me?", "dora")
        gate.release(1000)
        assert all(each.result().completion_tokens == TURN for each in served)
    assert engine.counters().refused == 1


def test_a_prompt_without_room_for_a_turn_is_refused_with_the_numbers(make_engine: MakeEngine) -> None:
    engine, context = make_engine(context=300)
    with pytest.raises(ContextFull, match=r"has \d+ tokens and the model's context holds 300"):
        ask(engine, "too long " * 100)
    assert context.steps == []
    assert ask(engine, "Short?", length=10_000).finish == "length"


def test_what_does_not_fit_in_memory_is_read_again_and_right(make_engine: MakeEngine, encode: Encode) -> None:
    engine, _ = make_engine(parallel=2, keep_mb=0)
    for turn in range(3):
        for name in ("anna", "ben", "carl"):
            said = ask(engine, f"Question {turn}?", name, report=f"The report on {name}.")
            assert said.text == expected(encode, prompt(f"Question {turn}?", f"The report on {name}."))
    assert (engine.prefixes.bytes, list(engine.prefixes.nodes())) == (0, [])
    assert engine.counters().evicted > 0


def test_an_error_in_one_request_is_its_own(make_engine: MakeEngine, encode: Encode) -> None:
    engine, _ = make_engine()

    def fail(_: str) -> None:
        raise RuntimeError("the browser is gone")

    with ThreadPoolExecutor(4) as pool:
        good = [pool.submit(ask, engine, f"Question {name}?", name) for name in ("anna", "ben")]
        bad = pool.submit(engine.complete, prompt("Watched?"), Sampling(), None, fail, "carl")
        nothing = Constraint({}, frozenset({"call"}))
        worse = pool.submit(engine.complete, prompt("Tools?"), Sampling(), nothing, None, "dora")
        with pytest.raises(RuntimeError, match="browser"):
            bad.result()
        with pytest.raises(UsageError, match="must be allowed"):
            worse.result()
        for name, said in zip(("anna", "ben"), good, strict=True):
            assert said.result().text == expected(encode, prompt(f"Question {name}?"))


def test_a_sampler_that_fails_ends_its_own_turn_only(make_engine: MakeEngine, encode: Encode) -> None:
    engine, _ = make_engine()
    with ThreadPoolExecutor(2) as pool:
        good = pool.submit(ask, engine, "Good?", "anna")
        bad = pool.submit(engine.complete, prompt("Bad?"), Sampling(temperature=float("nan")), None, None, "ben")
        with pytest.raises(ValueError):
            bad.result()
        assert good.result().text == expected(encode, prompt("Good?"))
    assert engine.counters().failed == 1


def test_when_llama_cpp_fails_those_in_the_step_hear_it_and_the_engine_goes_on(
    make_engine: MakeEngine, encode: Encode
) -> None:
    (poison,) = encode("~", False)
    engine, _ = make_engine(failing=poison)
    assert ask(engine, "Fine?", "anna").finish == "length"
    with pytest.raises(BackendError, match="could not evaluate: code -1"):
        ask(engine, "~", "anna")
    assert ask(engine, "Fine?", "anna").text == expected(encode, prompt("Fine?"))
    assert engine.counters().failed == 1


def test_closing_fails_those_who_wait_and_ends_the_thread(make_engine: MakeEngine) -> None:
    gate = threading.Semaphore(0)
    engine, _ = make_engine(parallel=1, gate=gate)
    with ThreadPoolExecutor(2) as pool:
        asked = [pool.submit(ask, engine, f"{name}?", name) for name in ("anna", "ben")]
        until(lambda: engine.counters().running == engine.counters().waiting == 1)
        gate.release(3)
        closing = threading.Thread(target=engine.close)
        closing.start()
        gate.release(10)
        closing.join()
        for each in asked:
            with pytest.raises(BackendError, match="was closed"):
                each.result()
    with pytest.raises(BackendError, match="make a new backend"):
        ask(engine, "Too late?")


def test_who_says_nothing_while_waiting_is_asked_now_and_then(make_engine: MakeEngine) -> None:
    gate = threading.Semaphore(0)
    engine, _ = make_engine(gate=gate)
    heard: list[str] = []
    asked: list[bool] = []

    def patient(text: str) -> bool:
        heard.append(text)
        asked.append(True)
        return len(asked) < 3

    said = engine.complete(prompt("Hello?"), Sampling(), None, patient, "anna")
    assert (said.finish, heard) == ("cancelled", ["", "", ""])


def test_the_counters_tell_what_was_done(make_engine: MakeEngine) -> None:
    engine, _ = make_engine()
    for question in ("One?", "Two?"):
        ask(engine, question, "anna", 10)
    counters = engine.counters()
    assert (counters.requests, counters.finished, counters.completion_tokens) == (2, 2, 20)
    assert counters.steps == sum(counters.together.values()) == counters.together[1]
    assert counters.tokens_per_second > 0
    assert counters.kept_nodes == len(list(engine.prefixes.nodes()))



@dataclass
class ScriptedAlone:
    """The scripted model for the decoder that answers one prompt at a time."""

    script: ScriptedContext
    encode: Encode
    context: int = 3000

    def evaluate(self, keep: int, ids: Sequence[int]) -> Logits:
        self.script.trim(0, keep)
        for start in range(0, len(ids), BATCH):
            part = np.array(ids[start : start + BATCH], np.int32)
            (logits,) = self.script.decode([Piece(0, keep + start, part, True)])
        assert logits is not None
        return logits


def test_seeded_turns_equal_those_of_the_decoder_token_for_token(
    make_engine: MakeEngine, encode: Encode, tools: Constraint
) -> None:
    engine, context = make_engine(parallel=6)
    tokenizer = LLTokenizer(make_tokenizer().to_str(), n_vocab=SIZE, eos_token=3)
    decoder = Decoder(ScriptedAlone(ScriptedContext(1, context.letters), encode), tokenizer)
    asked = [(prompt(f"Question {seed}?"), Sampling(0.9, 0.95, seed, 60), seed % 2) for seed in range(16)]

    def together(each: tuple[list[Message], Sampling, int]) -> Completion:
        return engine.complete(each[0], each[1], tools if each[2] else None, None, "anna")

    with ThreadPoolExecutor(9) as pool:
        said = list(pool.map(together, asked))
    alone = [decoder.complete(messages, how, tools if held else None, None) for messages, how, held in asked]
    assert [each.token_ids for each in said] == [each.token_ids for each in alone]
    assert [(each.text, each.finish) for each in said] == [(each.text, each.finish) for each in alone]
    assert len({each.text for each in said}) > 10
