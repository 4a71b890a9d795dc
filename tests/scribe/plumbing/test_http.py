"""The client of chat servers against a small server on this machine, and what counts as the campus."""

import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from scribe.plumbing.errors import BackendError, ContextFull, RequestRefused, TransientError, UsageError
from scribe.plumbing.http import ChatClient, chat_url, is_campus_address, parse_address, retry

WHOLE = json.dumps({"choices": [{"message": {"content": "hm"}}]})


@dataclass
class ScriptedServer:
    """What a server on this machine says next, and what it was asked."""

    address: str = ""
    status: int = 200
    text: str = WHOLE
    headers: dict[str, str] = field(default_factory=dict)
    requests: list[dict[str, Any]] = field(default_factory=list)


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    scripted = ScriptedServer()

    class Answering(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            scripted.requests.append({"path": self.path, "key": self.headers["Authorization"], **body})
            self.send_response(scripted.status)
            for name, value in {**scripted.headers, "Content-Length": str(len(scripted.text.encode()))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(scripted.text.encode())

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    running = ThreadingHTTPServer(("127.0.0.1", 0), Answering)
    scripted.address = f"http://127.0.0.1:{running.server_port}"
    thread = threading.Thread(target=running.serve_forever, args=(0.02,))
    thread.start()
    yield scripted
    running.shutdown()
    thread.join()
    running.server_close()


def test_a_request_bears_the_key_and_gives_the_completion(server: ScriptedServer) -> None:
    client = ChatClient(server.address, "small", api_key="k3y")
    assert client.post({"model": "small"})["choices"][0]["message"]["content"] == "hm"
    assert server.requests == [{"path": "/v1/chat/completions", "key": "Bearer k3y", "model": "small"}]


def test_a_stream_comes_chunk_by_chunk(server: ScriptedServer) -> None:
    server.text = ': a comment\n\ndata: {"n": 1}\n\ndata: {"n": 2}\n\ndata: [DONE]\n\n'
    assert list(ChatClient(server.address, "small").stream({"stream": True})) == [{"n": 1}, {"n": 2}]


@pytest.mark.parametrize(
    ("status", "text", "error"),
    [
        (503, "busy", TransientError),
        (200, "<html>", TransientError),
        (401, "who?", BackendError),
        (404, "no such model", BackendError),
        (400, "unknown field seed", RequestRefused),
        (400, "maximum context length is 4096 tokens, you sent 5000", ContextFull),
        (200, '{"error": "out of memory"}', BackendError),
    ],
)
def test_a_status_says_whether_asking_again_helps(
    server: ScriptedServer, status: int, text: str, error: type[BackendError]
) -> None:
    server.status, server.text = status, text
    with pytest.raises(BackendError) as raised:
        ChatClient(server.address, "small").post({})
    assert type(raised.value) is error


def test_a_server_that_is_not_there_may_be_asked_again() -> None:
    with pytest.raises(TransientError, match="is the server running"):
        ChatClient("http://127.0.0.1:9", "small").post({})


def test_a_retry_waits_longer_each_time_or_as_long_as_asked() -> None:
    waits: list[float] = []
    problems = [TransientError("busy"), TransientError("busy", after=9.0), TransientError("busy")]

    def call() -> str:
        if problems:
            raise problems.pop(0)
        return "said"

    assert retry(call, pause=2.0, wait=waits.append) == "said"
    assert waits == [2.0, 9.0, 8.0]


def test_a_retry_ends_after_the_last_try_or_when_it_may_not() -> None:
    tries: list[int] = []

    def fail() -> None:
        tries.append(1)
        raise TransientError("busy")

    with pytest.raises(TransientError):
        retry(fail, retries=2, wait=lambda _: None)
    with pytest.raises(TransientError):
        retry(fail, may_retry=lambda problem: False)
    assert len(tries) == 3 + 1


def test_an_address_is_taken_as_openais_clients_take_it() -> None:
    assert chat_url("http://here:1/") == "http://here:1/v1/chat/completions"
    assert chat_url("http://here:1/openai/") == "http://here:1/openai/chat/completions"
    for wrong in (
        "localhost:8080",
        "ftp://here",
        "http://",
        "http://[::1",
        "http://a..b",
        "http://a:99999",
        "http://a:0",
    ):
        with pytest.raises(UsageError, match="no address"):
            parse_address(wrong)


@pytest.mark.parametrize("host", ["localhost", "10.1.2.3", "[::ffff:10.0.0.1]", "[::1]", "search.internal", "x.local"])
def test_the_campus_is_what_is_private(host: str) -> None:
    assert is_campus_address(f"http://{host}:1/v1")


@pytest.mark.parametrize("host", ["api.openai.com", "8.8.8.8", "[::ffff:8.8.8.8]", "local.example.com"])
def test_all_else_is_outside(host: str) -> None:
    assert not is_campus_address(f"https://{host}/v1")
