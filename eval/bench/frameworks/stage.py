"""What the bench's server can do: say the turn that is due, having really read and written it, and run a tool."""

import json
import threading
import time
from collections.abc import Mapping
from typing import Any

from data import bundle
from eval.bench.frameworks import rendering
from eval.bench.frameworks.counters import Counters
from eval.bench.frameworks.replaying import Replaying
from eval.bench.frameworks.script import Reply, Script
from scribe.errors import UsageError
from scribe.tool import Toolbox
from scribe.trajectory import Call
from tools.search.vector_store import VectorStore
from tools.toolbox import make_toolbox


class Stage:
    """Model, script and tools. Threads take turns at the model."""

    def __init__(self, played: Script, model: Replaying, vault: VectorStore) -> None:
        self.counters = Counters()
        self._script = played
        self._model = model
        self._lock = threading.Lock()
        self._vault = vault
        self._course = bundle.find(played.course)
        self._toolboxes: dict[str, Toolbox] = {}

    def completed(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        """The answer to a request for a turn. Raises UsageError or ContextFull."""
        if asked.get("stream"):
            raise UsageError("this server does not stream")
        reply = self._script.reply(asked["messages"])
        offered = asked.get("tools", [])
        prompt = self._model.encode(rendering.rendered(asked["messages"], offered))
        given = self._model.encode(rendering.written(reply))
        with self._lock:
            began = time.perf_counter()
            evaluated = self._model.write(prompt, given, reply.tokens)
            self.counters.turn(len(prompt), evaluated, reply.tokens, time.perf_counter() - began)
        named = {tool["function"]["name"] for tool in offered}
        return completion(reply, "final_answer" in named, len(prompt))

    def called(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        """What a tool says to a student."""
        began = time.perf_counter()
        student = asked["student"]
        if student not in self._toolboxes:
            self._toolboxes[student] = make_toolbox(self._course, student, self._vault)
        said = self._toolboxes[student].call(Call(asked["name"], asked["arguments"]))
        self.counters.call(time.perf_counter() - began)
        return {"content": said.content}


def completion(reply: Reply, by_call: bool, prompt_tokens: int) -> dict[str, Any]:
    """The reply as OpenAI's interface gives it. by_call: an answer is a call of `final_answer`, as smolagents wants."""
    calls = list(reply.calls)
    if not calls and by_call:
        calls = [{"name": "final_answer", "arguments": {"answer": reply.answer}}]
    message: dict[str, Any] = {"role": "assistant", "content": reply.thought if calls else reply.answer}
    if calls:
        message["tool_calls"] = [_called(number, call) for number, call in enumerate(calls)]
    return {
        "id": "chatcmpl-replayed",
        "object": "chat.completion",
        "created": 0,
        "model": "replayed",
        "choices": [{"index": 0, "message": message, "finish_reason": "tool_calls" if calls else "stop"}],
        "usage": {
            "prompt_tokens": prompt_tokens,
            "completion_tokens": reply.tokens,
            "total_tokens": prompt_tokens + reply.tokens,
        },
    }


def _called(number: int, call: Mapping[str, Any]) -> dict[str, Any]:
    function = {"name": call["name"], "arguments": json.dumps(call["arguments"], ensure_ascii=False)}
    return {"id": f"call_{number}", "type": "function", "function": function}
