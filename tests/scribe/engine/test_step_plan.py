"""Who waits and who goes first, and what is evaluated together."""

import queue
from collections.abc import Sequence

import numpy as np
import pytest

from scribe.backend import Sampling
from scribe.decoding.generation import RUN, Generation
from scribe.decoding.turn import TurnText
from scribe.engine.request_queue import RequestQueue, TurnRequest
from scribe.engine.slots import Slot
from scribe.engine.step_plan import GAP, LEAST, ReadingPace, StepPlanner
from scribe.engine.token_sequence import TokenSequence
from scribe.gguf.context import BatchPart
from scribe.gguf.file import BATCH
from scribe.plumbing.errors import QueueFull


def request(owner: str, tokens: int = 10) -> TurnRequest:
    path = TokenSequence(np.arange(tokens, dtype=np.int32), 0, (), owner)
    return TurnRequest(path, Generation(TurnText(None), None, Sampling(), None, 10), queue.SimpleQueue())


def running(number: int, owner: str, tokens: int, read: int = 0) -> TurnRequest:
    made = request(owner, tokens)
    made.begin(Slot(number, made.prompt, made.prompt.ids, tokens, read))
    return made


def writing(number: int, owner: str, pending: int) -> TurnRequest:
    """A turn of which so many tokens are known that are not evaluated."""
    made = request(owner, 20)
    made.begin(Slot(number, made.prompt, np.zeros(600, np.int32), 20 + pending, 20))
    return made


def read(step: Sequence[tuple[TurnRequest, BatchPart]]) -> dict[str, int]:
    """How many tokens each owner was given."""
    return {each.prompt.owner: len(piece.ids) for each, piece in step}


def test_owners_take_turns_however_much_each_of_them_asks() -> None:
    line = RequestQueue(99)
    asked = [request(owner) for owner in "aaaabbc"]
    for each in asked:
        line.add(each)
    served = []
    while len(line):
        first = next(iter(line))
        line.remove(first)
        served.append(first)
    assert "".join(each.prompt.owner for each in served) == "abcabaa"
    assert [each for each in served if each.prompt.owner == "a"] == asked[:4]


def test_who_leaves_unserved_does_not_cost_their_owner_the_turn() -> None:
    line = RequestQueue(99)
    first, second, other = request("a"), request("a"), request("b")
    for each in (first, second, other):
        line.add(each)
    line.remove(first, served=False)
    assert list(line) == [second, other]


def test_a_full_line_refuses_with_the_number_that_waits() -> None:
    line = RequestQueue(2)
    line.add(request("a"))
    line.add(request("b"))
    with pytest.raises(QueueFull, match="2 requests wait") as problem:
        line.add(request("a"))
    assert problem.value.waiting == len(line) == 2


def test_a_step_takes_one_token_of_each_turn_and_fills_up_with_prompts() -> None:
    turns = [writing(number, f"t{number}", 1) for number in range(3)]
    prompts = [running(3, "p", 300), running(4, "q", 300)]
    step = StepPlanner().plan_step([*prompts, *turns])
    assert sum(read(step).values()) == BATCH
    assert [read(step)[f"t{number}"] for number in range(3)] == [1, 1, 1]
    assert [piece.sequence for _, piece in step] == sorted(piece.sequence for _, piece in step)
    assert [piece.wants for _, piece in step] == [1, 1, 1, 0]


def test_the_owner_whose_prompts_were_read_longest_ago_goes_first() -> None:
    steps = StepPlanner()
    long, many = running(0, "long", 4000), [running(at, "many", 4000) for at in (1, 2, 3)]
    short = running(4, "short", 100)
    given = [read(steps.plan_step([*many, long])) for _ in range(4)]
    assert [next(iter(each)) for each in given] == ["many", "long", "many", "long"]
    assert read(steps.plan_step([*many, long, short]))["short"] == 100


def test_a_slow_model_reads_smaller_pieces_while_somebody_writes() -> None:
    pace = ReadingPace()
    assert pace.budget(writing=2) == BATCH - 2
    for _ in range(30):
        pace.note(100, 100 * GAP / 50)
    assert pace.budget(writing=2) == pytest.approx(50, abs=1)
    assert pace.budget(writing=0) == pytest.approx(200, abs=1)
    for _ in range(30):
        pace.note(100, 100 * GAP)
    assert pace.budget(writing=2) == LEAST


def test_a_long_run_that_the_grammar_dictates_comes_at_once_and_a_short_one_token_by_token() -> None:
    step = StepPlanner().plan_step([writing(0, "a", 3), writing(1, "b", 12), writing(2, "c", 400)])
    assert list(read(step).values()) == [1, 12, BATCH - 1 - 12]
    assert [piece.wants for _, piece in step] == [0, 1, 0]
    assert read(StepPlanner().plan_step([writing(0, "a", 3)])) == {"a": 1}


def test_a_prompt_is_never_read_in_pieces_shorter_than_a_run() -> None:
    for tokens in (1, RUN, BATCH, BATCH + 1, BATCH + RUN, 3 * BATCH + 2):
        steps, prompt, pieces = StepPlanner(), running(0, "p", tokens), list[int]()
        while prompt.slot.pending:
            pieces.append(read(steps.plan_step([prompt]))["p"])
            prompt.slot.read += pieces[-1]
        assert sum(pieces) == tokens and min(pieces) >= min(RUN, tokens)
