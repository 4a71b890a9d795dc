"""A model behind an address that answers by the question it reads, so that each answer can be told from every other.

It speaks as much of OpenAI's chat completions as `scribe.backends.api` does. What is scripted is only what the model
says; whoever asks it is the real program.
"""

import hashlib
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from typing import Any

from eval.loopback import listening
from scribe.messages import END_OF_FINAL_ANSWER, END_OF_REASONING, FINAL_ANSWER

LETTERS = "abcdefghijklmnop"


@dataclass(slots=True)
class ScriptedServer:
    """Answers after `delay` seconds, and counts the questions that it has answered."""

    delay: float
    asked: int = 0
    url: str = ""
    lock: threading.Lock = field(default_factory=threading.Lock)

    def turn(self, question: str) -> str:
        """What the model writes."""
        time.sleep(self.delay)
        with self.lock:
            self.asked += 1
        return f" Enough. {END_OF_REASONING}\n{FINAL_ANSWER}{answer_to(question)}{END_OF_FINAL_ANSWER}"


def answer_to(question: str) -> str:
    """No other question's answer, and nothing in it that a check could stumble over: no number, no name."""
    digits = hashlib.sha256(question.encode()).hexdigest()[:16]
    return f"Your word is {''.join(LETTERS[int(digit, 16)] for digit in digits)}."


@contextmanager
def serving(delay: float) -> Iterator[ScriptedServer]:
    """A server on this machine until the end of the block; its `url` is what `--base-url` and our settings take."""
    scripted = ScriptedServer(delay)
    with listening(type("Speaking", (_Speaking,), {"scripted": scripted})) as scripted.url:
        yield scripted


class _Speaking(BaseHTTPRequestHandler):
    """One request: chat messages in, the answer to the last one out, as a stream of one chunk."""

    scripted: ScriptedServer
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        chunk = self._chunk(asked["model"], self.scripted.turn(asked["messages"][-1]["content"]))
        body = f"data: {json.dumps(chunk)}\n\ndata: [DONE]\n\n".encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing: the figures are what is to be read."""

    def _chunk(self, model: str, text: str) -> dict[str, Any]:
        usage = {"prompt_tokens": 100, "completion_tokens": 7, "prompt_tokens_details": {"cached_tokens": 60}}
        choice = {"index": 0, "delta": {"content": text}, "finish_reason": "stop"}
        return {"model": model, "choices": [choice], "usage": usage}
