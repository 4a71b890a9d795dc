"""The scripted model behind a line that can be made to fail in the ways that servers and proxies do."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Literal

from scribe.messages import END_OF_REASONING, FINAL_ANSWER
from tests.killing.scripted_model import ScriptedModel
from tests.loopback import LoopbackReply, serve_locally

Trouble = Literal["", "html", "busy", "drop", "cut", "silence"]
PAGE = b"<!doctype html><html><title>Sign in</title><body>Please sign in to the campus network.</body></html>"


@dataclass(slots=True)
class ShakyModel:
    """Answers as `ScriptedModel` does while there is no trouble. patience: seconds of silence before it lets go."""

    trouble: Trouble = ""
    patience: float = 3.0
    model: ScriptedModel = field(default_factory=lambda: ScriptedModel(0.0))
    url: str = ""

    def respond(self, path: str, body: bytes) -> LoopbackReply:
        """A reply, or what comes in its place."""
        match self.trouble:
            case "html":  # a proxy's page in place of the server, with success
                return LoopbackReply(PAGE, headers={"Content-Type": "text/html"})
            case "busy":
                return LoopbackReply(PAGE, 502, {"Content-Type": "text/html"})
            case "drop":
                raise ConnectionResetError("the line was cut before anything was said")
            case "cut":
                said = f" Enough. {END_OF_REASONING}\\n{FINAL_ANSWER}Your word is "
                chunk = f'data: {{"choices": [{{"index": 0, "delta": {{"content": "{said}"}}}}]}}\n\n'.encode()
                framed = b"%x\r\n%b\r\n" % (len(chunk), chunk)  # and no last chunk
                how = {"Content-Type": "text/event-stream", "Transfer-Encoding": "chunked", "Connection": "close"}
                return LoopbackReply(framed, headers=how)
            case "silence":
                time.sleep(self.patience)
        return self.model.respond(path, body)


@contextmanager
def serve_shaky_model(delay: float = 0.0) -> Iterator[ShakyModel]:
    """The server for as long as the block lasts. delay: seconds before each reply."""
    shaky = ShakyModel(model=ScriptedModel(delay))
    with serve_locally(shaky.respond) as shaky.url:
        yield shaky
