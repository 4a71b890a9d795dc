"""A small server on this machine that answers as SearXNG does."""

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit


class ScriptedSearxng(ThreadingHTTPServer):
    """Gives `reply` (JSON, or bytes as they are) with `status` after `delay` seconds.

    asked: the queries. headers: those of the last one.
    """

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Answer)
        self.reply: Any = {"results": []}
        self.status, self.delay, self.location = 200, 0.0, ""
        self.asked: list[dict[str, str]] = []
        self.headers: dict[str, str] = {}

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class _Answer(BaseHTTPRequestHandler):
    server: ScriptedSearxng

    def do_GET(self) -> None:  # the library calls it so
        parts = urlsplit(self.path)
        self.server.asked.append({"path": parts.path} | {name: one[0] for name, one in parse_qs(parts.query).items()})
        self.server.headers = dict(self.headers)
        time.sleep(self.server.delay)
        reply = self.server.reply
        body = reply if isinstance(reply, bytes) else json.dumps(reply).encode()
        self.send_response(self.server.status)
        if self.server.location:
            self.send_header("Location", self.server.location)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@contextmanager
def searxng() -> Iterator[ScriptedSearxng]:
    """The server, while it runs."""
    server = ScriptedSearxng()
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
