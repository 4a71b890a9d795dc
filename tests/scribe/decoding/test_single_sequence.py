"""What the decoder asks of a model, and what it believes about the model's cache."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import pytest
from llguidance import LLTokenizer

from scribe.backend import Constraint, Sampling
from scribe.decoding.chat import ChatTokenizer
from scribe.decoding.chat_format import LLAMA3
from scribe.decoding.generation import RUN, Logits
from scribe.decoding.single_sequence import Decoder
from scribe.messages import Message
from scribe.plumbing.errors import BackendError
from tests.scribe.backends.tiny import make_tokenizer

PROMPT = (Message("user", "What is week 3 about?"),)


@dataclass
class ScriptedModel:
    """Prefers the same token, or one of so many behind it; remembers what it was asked and fails when told to."""

    favourite: int
    others: int = 0
    context: int = 500
    fails_at: int = -1
    asked: list[tuple[int, list[int]]] = field(default_factory=list)

    def evaluate(self, keep: int, ids: Sequence[int]) -> Logits:
        self.asked.append((keep, list(ids)))
        if len(self.asked) - 1 == self.fails_at:
            raise BackendError("out of memory")
        logits = np.zeros(600, dtype=np.float32)
        logits[self.favourite + random.Random(len(self.asked)).randint(0, self.others)] = 1.0
        return logits


def encode(text: str, special: bool) -> list[int]:
    tokenizer = make_tokenizer()
    tokenizer.encode_special_tokens = not special
    ids: list[int] = tokenizer.encode(text).ids
    return ids


CHAT = ChatTokenizer(LLAMA3, encode)


def decoder(model: ScriptedModel) -> Decoder:
    return Decoder(model, CHAT, LLTokenizer(make_tokenizer().to_str(), n_vocab=600, eos_token=3))


def test_only_what_is_new_is_evaluated() -> None:
    model = ScriptedModel(favourite=70)
    both, ids = decoder(model), CHAT.prompt_ids(PROMPT)
    for _ in range(2):
        both.complete(PROMPT, Sampling(max_tokens=3), None, None)
    once = [(len(ids), [70]), (len(ids) + 1, [70])]
    assert model.asked == [(0, ids), *once, (len(ids) - RUN, ids[-RUN:]), *once]


def test_after_a_failure_nothing_of_the_cache_is_believed() -> None:
    model = ScriptedModel(favourite=70, fails_at=1)
    both = decoder(model)
    with pytest.raises(BackendError, match="memory"):
        both.complete(PROMPT, Sampling(max_tokens=3), None, None)
    assert both.complete(PROMPT, Sampling(max_tokens=3), None, None).cached_tokens == 0
    assert model.asked[2][0] == 0


def test_a_control_token_ends_the_turn_and_is_no_text() -> None:
    said = decoder(ScriptedModel(favourite=3)).complete(PROMPT, Sampling(), None, None)
    assert (said.text, said.finish, said.completion_tokens) == ("", "stop", 1)


def test_a_turn_that_runs_in_a_circle_is_ended() -> None:
    said = decoder(ScriptedModel(favourite=70)).complete(PROMPT, Sampling(max_tokens=400), None, None)
    assert said.finish == "circle" and said.completion_tokens < 50


def test_a_turn_never_outgrows_the_context() -> None:
    model = ScriptedModel(favourite=70, others=20, context=100)
    said = decoder(model).complete(PROMPT, Sampling(max_tokens=10_000), None, None)
    assert said.finish == "length"
    assert said.prompt_tokens + said.completion_tokens == 100


def test_what_the_grammar_dictates_is_written_without_asking_the_model() -> None:
    (letter,) = encode("a", False)
    model = ScriptedModel(favourite=letter, others=9, context=5000)
    tools = {"grade_calculator": {"type": "object", "properties": {}, "additionalProperties": False}}
    constraint = Constraint(tools, frozenset({"call"}))
    said = decoder(model).complete(PROMPT, Sampling(max_tokens=4000), constraint, None)
    assert said.text.endswith('[TOOL_CALL]{"name": "grade_calculator", "arguments": {}}[END_OF_TOOL_CALL]')
    assert len(model.asked) < said.completion_tokens - 5
