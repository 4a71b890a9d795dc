"""Many conversations at once over a scripted context, which notices every token that is not where it should be."""

import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from llguidance import LLTokenizer

from scribe.backend import Completion, Constraint, Sampling
from scribe.decoding.chat import ChatTokenizer
from scribe.decoding.generation import Logits
from scribe.decoding.single_sequence import Decoder
from scribe.gguf.context import BatchPart
from scribe.gguf.file import BATCH
from scribe.messages import Message
from tests.scribe.backends.tiny import make_tokenizer
from tests.scribe.engine.asking import RULES, TURN, ask, expected, prompt, until
from tests.scribe.engine.conftest import MakeEngine
from tests.scribe.engine.scripted import SIZE, ScriptedContext


def test_many_threads_get_just_what_each_would_get_alone(make_engine: MakeEngine, chat: ChatTokenizer) -> None:
    engine, context = make_engine(parallel=5)
    asked = [(f"What is week {week} about, {name}?", name) for week in range(8) for name in ("anna", "ben", "carl")]
    with ThreadPoolExecutor(12) as pool:
        said = list(pool.map(lambda each: ask(engine, *each), asked))
    assert [each.text for each in said] == [expected(chat, prompt(question)) for question, _ in asked]
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


def test_the_next_step_of_a_conversation_reads_only_what_is_new(make_engine: MakeEngine, chat: ChatTokenizer) -> None:
    engine, context = make_engine()
    first = prompt("Why?")
    one = engine.complete(first, Sampling(max_tokens=TURN), None, None, "anna")
    second = [*first, Message("assistant", f"[REASONING]{one.text}"), Message("tool", '{"week": 5}')]
    two = engine.complete(second, Sampling(max_tokens=TURN), None, None, "anna")
    assert two.text == expected(chat, second)
    assert one.prompt_tokens <= two.cached_tokens < two.prompt_tokens
    assert context.loads == []  # it went on in its place


def test_rules_are_read_once_and_a_report_once_for_its_student(make_engine: MakeEngine, chat: ChatTokenizer) -> None:
    engine, _ = make_engine(parallel=2)
    reports = {name: f"This is the report on {name}. " * 3 for name in ("anna", "ben", "carla")}
    asked = [(f"Question {turn}?", name) for turn in range(4) for name in reports]
    with ThreadPoolExecutor(6) as pool:
        list(pool.map(lambda each: ask(engine, *each, report=reports[each[1]]), asked))
    prompts = [chat.prompt(prompt(question, reports[name])).ids for question, name in asked]
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


def test_an_owner_who_asks_much_does_not_keep_another_waiting(make_engine: MakeEngine, chat: ChatTokenizer) -> None:
    gate = threading.Semaphore(0)
    engine, context = make_engine(parallel=1, gate=gate)

    def asking(name: str, at: int) -> None:
        ask(engine, f"Question {at} of {name}?", name, 4)

    with ThreadPoolExecutor(8) as pool:
        pool.submit(asking, "greedy", 0)
        until(lambda: engine.counters().running == 1)
        for at in range(1, 6):
            pool.submit(asking, "greedy", at)
        until(lambda: engine.counters().waiting == 5)
        pool.submit(asking, "modest", 0)
        until(lambda: engine.counters().waiting == 6)
        gate.release(1000)
    # The order in which the engine read them; callers' threads may wake up in another.
    names = {name: str(chat.encode(name, False)[1:-1])[1:-1] for name in ("greedy", "modest")}
    read = [str(piece.ids.tolist()) for step in context.steps for piece in step]
    order = [name for ids in read for name, word in names.items() if word in ids]
    assert order.index("modest") <= 2
    assert len(order) == 7


def test_what_does_not_fit_in_memory_is_read_again_and_right(make_engine: MakeEngine, chat: ChatTokenizer) -> None:
    engine, _ = make_engine(parallel=2, keep_mb=0)
    for turn in range(3):
        for name in ("anna", "ben", "carl"):
            said = ask(engine, f"Question {turn}?", name, report=f"The report on {name}.")
            assert said.text == expected(chat, prompt(f"Question {turn}?", f"The report on {name}."))
    assert (engine.cache.bytes, list(engine.cache.nodes())) == (0, [])
    assert engine.counters().evicted > 0


def test_the_counters_tell_what_was_done(make_engine: MakeEngine) -> None:
    engine, _ = make_engine()
    for question in ("One?", "Two?"):
        ask(engine, question, "anna", 10)
    counters = engine.counters()
    assert (counters.requests, counters.finished, counters.completion_tokens) == (2, 2, 20)
    assert counters.steps == sum(counters.together.values()) == counters.together[1]
    assert counters.busy_seconds > 0


@dataclass
class ScriptedAlone:
    """The scripted model for the decoder that answers one prompt at a time."""

    script: ScriptedContext
    context: int = 3000

    def evaluate(self, keep: int, ids: Sequence[int]) -> Logits:
        self.script.trim(0, keep)
        for start in range(0, len(ids), BATCH):
            part = np.array(ids[start : start + BATCH], np.int32)
            (rows,) = self.script.decode([BatchPart(0, keep + start, part, 1)])
        logits: Logits = rows[0]
        return logits


def test_seeded_turns_equal_those_of_the_decoder_token_for_token(
    make_engine: MakeEngine, chat: ChatTokenizer, tools: Constraint
) -> None:
    engine, context = make_engine(parallel=6)
    tokenizer = LLTokenizer(make_tokenizer().to_str(), n_vocab=SIZE, eos_token=3)
    decoder = Decoder(ScriptedAlone(ScriptedContext(1, context.letters)), chat, tokenizer)
    asked = [(prompt(f"Question {seed}?"), Sampling(0.9, 0.95, seed, 60), seed % 2) for seed in range(16)]

    def together(each: tuple[list[Message], Sampling, int]) -> Completion:
        return engine.complete(each[0], each[1], tools if each[2] else None, None, "anna")

    with ThreadPoolExecutor(9) as pool:
        said = list(pool.map(together, asked))
    alone = [decoder.complete(messages, how, tools if held else None, None) for messages, how, held in asked]
    assert [each.token_ids for each in said] == [each.token_ids for each in alone]
    assert [(each.text, each.finish) for each in said] == [(each.text, each.finish) for each in alone]
    assert len({each.text for each in said}) > 10
