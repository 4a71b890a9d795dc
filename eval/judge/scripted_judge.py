"""An endpoint on this machine that plays judges: quick, slow, failing, rate-limiting, garbled, changing their mind.

It speaks as much of OpenAI's chat completions as `eval.judge.asking` reads. What is scripted is only what it says.
"""

import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from typing import Any

from eval.loopback import listening

Body = Mapping[str, Any]
MODEL = "scripted-judge-2026"
"""What the endpoint says that it runs, whatever it is asked for."""


@dataclass(frozen=True, slots=True)
class ScriptedReply:
    """One reply. raw: bytes in place of a chat completion; delay: seconds before it."""

    text: str = ""
    status: int = 200
    finish: str = "stop"
    thought: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    delay: float = 0.0
    raw: bytes | None = None

    @property
    def body(self) -> bytes:
        """What goes over the line."""
        if self.raw is not None:
            return self.raw
        if self.status != 200:
            return json.dumps({"error": {"message": self.text}}).encode()
        return json.dumps(make_completion(self.text, self.finish, self.thought)).encode()


def make_completion(text: str, finish: str = "stop", thought: str = "") -> dict[str, Any]:
    """Make a chat completion with this text."""
    message = {"role": "assistant", "content": text} | ({"reasoning_content": thought} if thought else {})
    usage = {"prompt_tokens": 100, "completion_tokens": 20}
    return {"model": MODEL, "choices": [{"index": 0, "message": message, "finish_reason": finish}], "usage": usage}


Script = Callable[[Body, int], ScriptedReply]
"""What is said to a request; the number counts requests from 0."""


@dataclass(slots=True)
class ScriptedJudge:
    """Says what its script says, and keeps every request that it was sent, in order."""

    script: Script
    asked: list[Body] = field(default_factory=list)
    url: str = ""
    lock: threading.Lock = field(default_factory=threading.Lock)

    def reply(self, body: Body) -> ScriptedReply:
        """Reply to a request."""
        with self.lock:
            number = len(self.asked)
            self.asked.append(body)
        scripted = self.script(body, number)
        time.sleep(scripted.delay)
        return scripted


def decide(verdict: str, reasoning: str = "I went through the steps.") -> ScriptedReply:
    """Reply as a judge should."""
    return ScriptedReply(f"{reasoning}\n\nFINAL DECISION: {verdict}")


@contextmanager
def serve_judge(script: Script) -> Iterator[ScriptedJudge]:
    """Serve on this machine until the end of the block; its `url` is what `--base-url` takes."""
    scripted = ScriptedJudge(script)
    with listening(type("JudgeRequest", (_JudgeRequest,), {"scripted": scripted})) as scripted.url:
        yield scripted


class _JudgeRequest(BaseHTTPRequestHandler):
    """One request: a chat in, the judge's reply out."""

    scripted: ScriptedJudge
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1  # head and body in one write

    def do_POST(self) -> None:
        length = int(self.headers["Content-Length"])
        asked = self.rfile.read(length)
        if len(asked) < length:  # who asked was killed in the middle
            self.close_connection = True
            return
        reply = self.scripted.reply(json.loads(asked))
        body = reply.body
        self.send_response(reply.status)
        for name, value in reply.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing: what came of it is what is to be read."""
