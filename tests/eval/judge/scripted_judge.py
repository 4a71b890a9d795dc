"""An endpoint on this machine that plays judges: quick, slow, failing, rate-limiting, garbled, changing their mind.

It speaks as much of OpenAI's chat completions as `eval.judge.asking` reads. What is scripted is only what it says.
"""

import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from tests.loopback import LoopbackReply, serve_locally

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
    """Keeps every request that it was sent, in order."""

    asked: list[Body] = field(default_factory=list)
    url: str = ""


def decide(verdict: str, reasoning: str = "I went through the steps.") -> ScriptedReply:
    """Reply as a judge should."""
    return ScriptedReply(f"{reasoning}\n\nFINAL DECISION: {verdict}")


@contextmanager
def serve_judge(script: Script) -> Iterator[ScriptedJudge]:
    """Serve on this machine until the end of the block; the judge's `url` is what `--base-url` takes."""
    judge, lock = ScriptedJudge(), threading.Lock()

    def respond(path: str, content: bytes) -> LoopbackReply:
        body = json.loads(content)
        with lock:
            number = len(judge.asked)
            judge.asked.append(body)
        reply = script(body, number)
        time.sleep(reply.delay)
        return LoopbackReply(reply.body, reply.status, {"Content-Type": "application/json", **reply.headers})

    with serve_locally(respond) as judge.url:
        yield judge
