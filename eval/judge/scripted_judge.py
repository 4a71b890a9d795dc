"""An endpoint on this machine that plays judges: quick, slow, failing, rate-limiting, garbled, changing their mind.

It speaks as much of OpenAI's chat completions as `eval.judge.endpoint` reads. What is scripted is only what it says.
"""

import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from eval.loopback import LoopbackReply, serve_locally

Body = Mapping[str, Any]
MODEL = "scripted-judge-2026"
"""What the endpoint says that it runs, whatever it is asked for."""


@dataclass(frozen=True, slots=True)
class Said:
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
        return json.dumps(completion(self.text, self.finish, self.thought)).encode()


def completion(text: str, finish: str = "stop", thought: str = "") -> dict[str, Any]:
    """A chat completion with this text."""
    message = {"role": "assistant", "content": text} | ({"reasoning_content": thought} if thought else {})
    usage = {"prompt_tokens": 100, "completion_tokens": 20}
    return {"model": MODEL, "choices": [{"index": 0, "message": message, "finish_reason": finish}], "usage": usage}


Script = Callable[[Body, int], Said]
"""What is said to a request; the number counts requests from 0."""


@dataclass(slots=True)
class ScriptedJudge:
    """Says what its script says, and keeps every request that it was sent, in order."""

    script: Script
    asked: list[Body] = field(default_factory=list)
    url: str = ""
    lock: threading.Lock = field(default_factory=threading.Lock)

    def said(self, body: Body) -> Said:
        """The reply to a request."""
        with self.lock:
            number = len(self.asked)
            self.asked.append(body)
        reply = self.script(body, number)
        time.sleep(reply.delay)
        return reply


def decided(verdict: str, reasoning: str = "I went through the steps.") -> Said:
    """A reply as it should be."""
    return Said(f"{reasoning}\n\nFINAL DECISION: {verdict}")


@contextmanager
def judging(script: Script) -> Iterator[ScriptedJudge]:
    """A server on this machine until the end of the block; its `url` is what `--base-url` takes."""
    scripted = ScriptedJudge(script)

    def respond(path: str, body: bytes) -> LoopbackReply:
        said = scripted.said(json.loads(body))
        return LoopbackReply(said.body, said.status, {"Content-Type": "application/json", **said.headers})

    with serve_locally(respond) as scripted.url:
        yield scripted
