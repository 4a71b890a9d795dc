"""Many talks at once: each asks on when it has its answer, trouble is counted, and none ends another's."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from eval.bench.load import Outcome, let_talk
from eval.bench.loaded import DELAYS, Load
from eval.bench.streams import Streams
from scribe.backend import Sampling
from scribe.backends.llama import LlamaBackend
from scribe.messages import Message

QUESTIONS = [f"What is topic {number}?" for number in range(9)]


@dataclass
class ShortTalk:
    """Asks a model of random weights for a few tokens; every third question is a failure."""

    streams: Streams
    asked: list[str] = field(default_factory=list)
    at_once: int = 0

    def ask(self, question: str, visible: Callable[[], None]) -> Outcome:
        self.at_once += 1
        assert self.at_once == 1  # a conversation never asks before it has its answer
        self.asked.append(question)
        self.streams.complete([Message("user", question)], Sampling(max_tokens=16))
        visible()
        visible()
        self.at_once -= 1
        if len(self.asked) % 3 == 2:
            raise RuntimeError("the talk broke")
        return "unresolved" if len(self.asked) % 3 == 0 else "answered"


@pytest.fixture(scope="module")
def talked(random_model: Path) -> tuple[Load, list[ShortTalk], int]:
    backend = LlamaBackend(random_model, threads=1, parallel=2)
    streams = Streams(backend)
    talks = [ShortTalk(streams) for _ in range(4)]
    try:
        load = let_talk(streams, backend.engine, talks, QUESTIONS, 1.5, 0.3, lambda words: None)
        return load, talks, backend.engine.counters().requests
    finally:
        backend.close()


def test_every_question_is_counted_once_with_its_end(talked: tuple[Load, list[ShortTalk], int]) -> None:
    load, talks, requests = talked
    asked = [len(talk.asked) for talk in talks]
    assert min(asked) >= 1
    assert sum(load.outcomes.values()) == sum(asked) == requests
    assert load.outcomes["failed"] == sum((count + 1) // 3 for count in asked)
    assert bool(load.trouble) == bool(load.outcomes["failed"])
    assert load.trouble in ("", "RuntimeError: the talk broke")
    numbers = load.numbers()
    assert numbers["first token of a turn"]["count"] == sum(asked)
    assert numbers["whole answer"]["count"] == sum(asked)
    assert numbers["first words of the answer"]["count"] == load.outcomes["answered"]


def test_conversations_begin_at_different_questions_and_go_round(talked: tuple[Load, list[ShortTalk], int]) -> None:
    _, talks, _ = talked
    assert [talk.asked[0] for talk in talks] == [QUESTIONS[at] for at in (0, 7, 5, 3)]
    for talk in talks:
        begun = QUESTIONS.index(talk.asked[0])
        assert talk.asked == [QUESTIONS[(begun + n) % len(QUESTIONS)] for n in range(len(talk.asked))]


def test_memory_is_looked_at_from_beginning_to_end(talked: tuple[Load, list[ShortTalk], int]) -> None:
    load, _, _ = talked
    times = [sample.seconds for sample in load.samples]
    assert times == sorted(times)
    assert len(times) >= 3
    assert times[-1] == load.seconds >= 1.5
    assert all(50 < sample.process < 50_000 and 0 <= sample.kept < sample.process for sample in load.samples)
    assert [row[0] for row in load.rows()] == list(DELAYS)
    assert "the rest" in load.notes()[1]
