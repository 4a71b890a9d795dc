"""A server on this machine for as long as a block lasts, for judges and models that are scripted."""

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@contextmanager
def listening(speaking: type[BaseHTTPRequestHandler]) -> Iterator[str]:
    """The address under which each request is given to `speaking`, as `--base-url` takes it."""
    server = _Server(("127.0.0.1", 0), speaking)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Server(ThreadingHTTPServer):
    """Bears it that whoever asked is killed."""

    daemon_threads = True
    request_queue_size = 64

    def handle_error(self, request: Any, client_address: Any) -> None:
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)
