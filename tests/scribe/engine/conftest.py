"""The tiny model of the backends' tests, and an engine over a scripted context."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from llguidance import LLTokenizer
from tokenizers import Tokenizer

from scribe.decoding.chat import ChatTokenizer
from scribe.decoding.chat_format import LLAMA3
from scribe.engine.engine import Engine, Sizes
from tests.scribe.backends.conftest import folder, gguf, one_thread, tools
from tests.scribe.backends.tiny import make_tokenizer
from tests.scribe.engine.scripted import LETTERS, SIZE, ScriptedContext

__all__ = ["folder", "gguf", "one_thread", "tools"]

MakeEngine = Callable[..., tuple[Engine, ScriptedContext]]


@pytest.fixture(scope="session")
def tokenizer() -> Tokenizer:
    return make_tokenizer()


@pytest.fixture(scope="session")
def chat(tokenizer: Tokenizer) -> ChatTokenizer:
    plain = make_tokenizer()
    plain.encode_special_tokens = True

    def encode(text: str, special: bool) -> list[int]:
        ids: list[int] = (tokenizer if special else plain).encode(text, add_special_tokens=False).ids
        return ids

    return ChatTokenizer(LLAMA3, encode)


@pytest.fixture
def make_engine(tokenizer: Tokenizer, chat: ChatTokenizer) -> Iterator[MakeEngine]:
    """Makes engines over scripted contexts; they are closed when the test is over."""
    engines: list[tuple[Engine, ScriptedContext]] = []

    def make(parallel: int = 4, **settings: Any) -> tuple[Engine, ScriptedContext]:
        of_context = {key: settings.pop(key) for key in ("failing", "gate") if key in settings}
        context = ScriptedContext(parallel, [chat.encode(letter, False)[0] for letter in LETTERS], **of_context)
        sizes = Sizes(**{"context": 3000, "parallel": parallel, **settings})
        engine = Engine(context, chat, LLTokenizer(tokenizer.to_str(), n_vocab=SIZE, eos_token=3), sizes)
        engines.append((engine, context))
        return engine, context

    yield make
    for engine, context in engines:
        if context.gate is not None:
            context.gate.release(100_000)
        engine.close()
