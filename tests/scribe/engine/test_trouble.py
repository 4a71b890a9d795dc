"""Who leaves, who is refused, and what goes wrong: it is nobody else's loss."""

import os
import queue
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from llguidance import LLTokenizer

from scribe.backend import Constraint, Sampling
from scribe.decoding.chat import ChatTokenizer
from scribe.decoding.generation import Generation
from scribe.decoding.turn import TurnText
from scribe.engine.request_queue import News, TurnRequest
from scribe.engine.scheduler import Scheduler
from scribe.engine.slots import Slots, SlotStart
from scribe.engine.token_sequence import TokenSequence
from scribe.plumbing.errors import BackendError, ContextFull, QueueFull, UsageError
from tests.scribe.backends.tiny import make_tokenizer
from tests.scribe.engine.asking import TURN, ask, expected, prompt, until
from tests.scribe.engine.conftest import MakeEngine
from tests.scribe.engine.scripted import SIZE


def test_who_cancels_frees_the_place_at_once(make_engine: MakeEngine, chat: ChatTokenizer) -> None:
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
        assert next_one.result().text == expected(chat, prompt("And me?"))
    assert left.result().text == "".join(heard) == expected(chat, prompt("Never mind?"))[: len("".join(heard))]
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
    short = ask(engine, "Short?", length=10_000)  # the scripted model soon repeats itself
    assert short.finish in ("length", "circle") and short.prompt_tokens + short.completion_tokens <= 300


def test_an_error_in_one_request_is_its_own(make_engine: MakeEngine, chat: ChatTokenizer) -> None:
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
            assert said.result().text == expected(chat, prompt(f"Question {name}?"))


def test_a_sampler_that_fails_ends_its_own_turn_only(make_engine: MakeEngine, chat: ChatTokenizer) -> None:
    engine, _ = make_engine()
    with ThreadPoolExecutor(2) as pool:
        good = pool.submit(ask, engine, "Good?", "anna")
        bad = pool.submit(engine.complete, prompt("Bad?"), Sampling(temperature=float("nan")), None, None, "ben")
        with pytest.raises(BackendError, match="not numbers"):
            bad.result()
        assert good.result().text == expected(chat, prompt("Good?"))
    assert engine.counters().failed == 1


def test_when_llama_cpp_fails_those_in_the_step_hear_it_and_the_engine_goes_on(
    make_engine: MakeEngine, chat: ChatTokenizer
) -> None:
    (poison,) = chat.encode("~", False)
    engine, _ = make_engine(failing=poison)
    assert ask(engine, "Fine?", "anna").finish == "length"
    with pytest.raises(BackendError, match="could not evaluate: code -1"):
        ask(engine, "~", "anna")
    assert ask(engine, "Fine?", "anna").text == expected(chat, prompt("Fine?"))
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


def test_a_place_that_could_not_be_begun_belongs_to_nobody(make_engine: MakeEngine, chat: ChatTokenizer) -> None:
    engine, context = make_engine(parallel=1)
    for name in ("anna", "ben", "anna"):
        ask(engine, f"The secret of {name}?", name)
    context.loads_that_fail = 1
    with pytest.raises(BackendError, match="no memory left"):
        ask(engine, "The secret of ben?", "ben")
    said = ask(engine, "The secret of anna?", "anna")
    assert said.text == expected(chat, prompt("The secret of anna?"))
    assert engine.counters().failed == 1


def test_a_request_that_finds_no_place_is_given_up_and_the_next_is_served(make_engine: MakeEngine) -> None:
    engine, context = make_engine()
    scheduler = Scheduler(context, SlotsForAnnaOnly(context, engine.cache), engine.cache, waiting=4)
    tokenizer = LLTokenizer(make_tokenizer().to_str(), n_vocab=SIZE, eos_token=3)
    requests = []
    for owner in ("ben", "anna"):
        news: News = queue.SimpleQueue()
        ids = np.arange(40, 60, dtype=np.int32)
        writing = Generation(TurnText(news.put), tokenizer, Sampling(max_tokens=4), None, 4)
        requests.append(TurnRequest(TokenSequence(ids, 0, (), owner), writing, news))
        scheduler.submit(requests[-1])
    with pytest.raises(BackendError, match="only for anna"):
        requests[0].result(None)
    assert requests[1].result(None).completion_tokens == 4
    scheduler.close()


class SlotsForAnnaOnly(Slots):
    def find_start(self, prompt: TokenSequence) -> SlotStart:
        if prompt.owner != "anna":
            raise RecursionError("only for anna")
        return super().find_start(prompt)


def test_after_a_fork_the_child_is_refused_at_once(make_engine: MakeEngine) -> None:
    engine, _ = make_engine()
    child = os.fork()
    if child == 0:
        try:
            ask(engine, "Anyone?")
        except BackendError:
            os._exit(7)
        os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7


def test_fewer_tokens_than_one_are_no_answer() -> None:
    with pytest.raises(UsageError, match="at least 1"):
        Sampling(max_tokens=0)
