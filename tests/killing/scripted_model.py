"""A model behind an address that answers by what it reads, so that each answer can be told from every other.

It speaks as much of OpenAI's chat completions as Scribe's model and judge do. A stream gets an answer to a question,
another request gets a judge's decision.
"""

import hashlib
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from scribe.messages import END_OF_FINAL_ANSWER, END_OF_REASONING, FINAL_ANSWER
from tests.loopback import LoopbackReply, serve_locally

LETTERS = "abcdefghijklmnop"


@dataclass(slots=True)
class ScriptedModel:
    """Replies `delay` seconds after a request, and counts the requests."""

    delay: float
    asked: int = 0
    url: str = ""
    lock: threading.Lock = field(default_factory=threading.Lock)

    def respond(self, path: str, body: bytes) -> LoopbackReply:
        """A chat completion, whole or as a stream of one chunk."""
        time.sleep(self.delay)
        with self.lock:
            self.asked += 1
        asked = json.loads(body)
        usage = {"prompt_tokens": 100, "completion_tokens": 7, "prompt_tokens_details": {"cached_tokens": 60}}
        reply: dict[str, Any] = {"model": asked["model"], "usage": usage}
        if not asked.get("stream"):
            message = {"role": "assistant", "content": _decide(f"{asked['messages']} {asked['seed']}")}
            choice = {"index": 0, "message": message, "finish_reason": "stop"}
            return LoopbackReply(json.dumps(reply | {"choices": [choice]}).encode())
        answer = answer_to(asked["messages"][-1]["content"])
        text = f" Enough. {END_OF_REASONING}\n{FINAL_ANSWER}{answer}{END_OF_FINAL_ANSWER}"
        choice = {"index": 0, "delta": {"content": text}, "finish_reason": "stop"}
        chunk = json.dumps(reply | {"choices": [choice]})
        return LoopbackReply(
            f"data: {chunk}\n\ndata: [DONE]\n\n".encode(), headers={"Content-Type": "text/event-stream"}
        )


def answer_to(question: str) -> str:
    """The answer that no other question gets; it holds no number and no name, which a check could refuse."""
    return f"Your word is {_word(question)}."


@contextmanager
def serve_scripted_model(delay: float = 0.0) -> Iterator[ScriptedModel]:
    """A server on this machine until the end of the block; its `url` is what `--base-url` and our settings take."""
    model = ScriptedModel(delay)
    with serve_locally(model.respond) as model.url:
        yield model


def _decide(request: str) -> str:
    """Reasoning and a verdict that depend on the whole request."""
    word = _word(request)
    return f"I went by {word}.\n\nFINAL DECISION: {'YES' if word < 'i' else 'NO'}"


def _word(text: str) -> str:
    digits = hashlib.sha256(text.encode()).hexdigest()[:16]
    return "".join(LETTERS[int(digit, 16)] for digit in digits)
