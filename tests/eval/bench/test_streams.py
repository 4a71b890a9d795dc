"""Watching streams: first pieces and gaps are told apart, and delays are counted without being kept."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import pytest

from eval.bench.streams import Delays, Streams
from scribe.backend import Completion, Constraint, OnText, Sampling
from scribe.messages import Message


@dataclass
class ScriptedStream:
    """Says these pieces, with a pause before each."""

    pieces: Sequence[str]
    pause: float = 0.0
    info: Mapping[str, str] = field(default_factory=dict)

    def complete(
        self,
        prompt: Sequence[Message],
        sampling: Sampling,
        constraint: Constraint | None = None,
        on_text: OnText | None = None,
        owner: str = "",
    ) -> Completion:
        for piece in self.pieces:
            time.sleep(self.pause)
            if on_text is not None and on_text(piece) is False:
                return Completion("", "cancelled")
        return Completion("".join(self.pieces), completion_tokens=len(self.pieces))


def test_an_empty_piece_ends_no_gap_and_is_passed_on() -> None:
    streams, heard = Streams(ScriptedStream(["a", "", "b", "c"], pause=0.01)), list[str]()
    said = streams.complete([], Sampling(), on_text=heard.append)
    assert heard == ["a", "", "b", "c"]
    assert said.text == "abc"
    assert streams.firsts.numbers()["count"] == 1
    assert streams.gaps.numbers()["count"] == 2
    assert streams.gaps.longest >= 0.02  # from "a" over the empty piece to "b"
    assert streams.tokens == 4


def test_each_turn_begins_anew_and_who_listens_can_still_cancel() -> None:
    streams = Streams(ScriptedStream(["a", "b"]))
    streams.complete([], Sampling())
    assert streams.complete([], Sampling(), on_text=lambda piece: False).finish == "cancelled"
    assert streams.firsts.numbers()["count"] == 2
    assert streams.gaps.numbers()["count"] == 1


def test_quantiles_are_those_of_all_that_was_added() -> None:
    delays = Delays()
    assert delays.numbers() == {"count": 0, "median": 0.0, "99%": 0.0, "longest": 0.0}
    for milliseconds in range(1, 101):
        delays.add(milliseconds / 1000 + 0.0001)
    assert delays.numbers() == pytest.approx({"count": 100, "median": 0.05, "99%": 0.099, "longest": 0.1}, abs=1e-3)
    assert delays.quantile(1.0) == pytest.approx(0.1)
