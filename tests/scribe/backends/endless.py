"""A server on this machine whose reply has no end: it writes until whoever asked hangs up."""

import itertools
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"


@contextmanager
def serve_without_end(piece: bytes, pause: float = 0.0) -> Iterator[str]:
    """The address of a server that repeats `piece`, every `pause` seconds. It must be hung up on, or the test hangs."""
    with socket.create_server(("127.0.0.1", 0)) as door:
        thread = threading.Thread(target=_write_on, args=(door, piece, pause), daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{door.getsockname()[1]}"
    thread.join(10.0)
    assert not thread.is_alive(), "the client is still reading"


def _write_on(door: socket.socket, piece: bytes, pause: float) -> None:
    wait = threading.Event().wait
    line, _ = door.accept()
    with line:
        line.recv(65536)
        try:
            line.sendall(HEAD)
            for _ in itertools.count():
                line.sendall(piece)
                if pause:
                    wait(pause)
        except OSError:
            return  # it was hung up on
