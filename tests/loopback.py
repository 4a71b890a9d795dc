"""A server on this machine for as long as a block lasts, for models, judges and searches that are scripted."""

import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True, slots=True)
class LoopbackReply:
    """What goes back over the line."""

    body: bytes
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=lambda: {"Content-Type": "application/json"})


Respond = Callable[[str, bytes], LoopbackReply]
"""From a request's path, with its query, and its body to the reply. Called in a thread for each connection."""


@contextmanager
def serve_locally(respond: Respond) -> Iterator[str]:
    """The address, as `--base-url` takes it, under which each request is answered."""
    server = _Server(("127.0.0.1", 0), type("_Bound", (_Connection,), {"respond": staticmethod(respond)}))
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Server(ThreadingHTTPServer):
    """Goes on when whoever asked is killed."""

    daemon_threads = True
    request_queue_size = 64

    def handle_error(self, request: Any, client_address: Any) -> None:
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class _Connection(BaseHTTPRequestHandler):
    respond: Respond
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1  # head and body in one write

    def do_GET(self) -> None:  # the library calls it so
        length = int(self.headers.get("Content-Length", 0))
        body = self.rfile.read(length)
        if len(body) < length:  # whoever asked was killed in the middle
            self.close_connection = True
            return
        reply = self.respond(self.path, body)
        self.send_response(reply.status)
        for name, value in reply.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(reply.body)))
        self.end_headers()
        self.wfile.write(reply.body)

    do_POST = do_GET  # noqa: N815

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""
