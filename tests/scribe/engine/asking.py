"""Questions for an engine over a scripted context, and what the answers must be."""

import threading
from collections.abc import Callable

from scribe.backend import Completion, Sampling
from scribe.decoding.chat import ChatTokenizer
from scribe.engine.engine import Engine
from scribe.messages import Message
from tests.scribe.engine.scripted import LETTERS, said_behind

RULES = "You are Scribe. These are the rules and the tools, the same for every student of the course, again and again. "
TURN = 24


def prompt(question: str, report: str = "In week 5 you watched 3 videos.", rules: str = RULES) -> list[Message]:
    return [Message("system", rules + report, len(rules)), Message("user", question)]


def ask(engine: Engine, question: str, owner: str = "", length: int = TURN, **named: str) -> Completion:
    return engine.complete(prompt(question, **named), Sampling(max_tokens=length), None, None, owner)


def expected(chat: ChatTokenizer, messages: list[Message], length: int = TURN) -> str:
    """What the scripted model says behind a prompt, one token after the other."""
    held, text = list(chat.prompt(messages).ids), ""
    for _ in range(length):
        letter = LETTERS[said_behind(held)]
        text += letter
        held += chat.encode(letter, False)
    return text


def until(true: Callable[[], bool]) -> None:
    """Wait for another thread to get there."""
    for _ in range(6000):
        if true():
            return
        threading.Event().wait(0.01)
    raise AssertionError("it never came to that")
