"""A model behind an address on this machine that gives every question the same answer after a while, for `load`."""

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import StreamingResponse
from starlette.routing import Route

from app.web.serving import find_free_port
from scribe.messages import END_OF_FINAL_ANSWER, END_OF_REASONING, FINAL_ANSWER

ANSWER = f" Enough. {END_OF_REASONING}\n{FINAL_ANSWER}Ask your course team.{END_OF_FINAL_ANSWER}"


@dataclass(frozen=True, slots=True)
class ScriptedEndpoint:
    """Speaks as much of OpenAI's chat completions as the `api` backend needs; url: what `--base-url` takes."""

    url: str
    delay: float

    def answer(self, request: Request) -> StreamingResponse:
        """The answer as a stream of one chunk."""
        choice = {"index": 0, "delta": {"content": ANSWER}, "finish_reason": "stop"}
        chunk = json.dumps({"model": "scripted", "choices": [choice], "usage": {"completion_tokens": 7}})

        def stream() -> Iterator[str]:
            time.sleep(self.delay)
            yield f"data: {chunk}\n\ndata: [DONE]\n\n"

        return StreamingResponse(stream(), media_type="text/event-stream")


@contextmanager
def serve_scripted_model(delay: float) -> Iterator[ScriptedEndpoint]:
    """The endpoint for as long as the block lasts. delay: seconds before each answer."""
    port = find_free_port("127.0.0.1", 19900)
    endpoint = ScriptedEndpoint(f"http://127.0.0.1:{port}/v1", delay)
    application = Starlette(routes=[Route("/v1/chat/completions", endpoint.answer, methods=["POST"])])
    server = uvicorn.Server(uvicorn.Config(application, host="127.0.0.1", port=port, log_level="error"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while thread.is_alive() and not server.started:
        time.sleep(0.05)
    try:
        yield endpoint
    finally:
        server.should_exit = True
        thread.join()
