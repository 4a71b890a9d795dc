"""A client of servers that speak OpenAI's chat completions, and the guard of addresses on the campus."""

import ipaddress
import json
import os
import re
import time
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeVar

import httpx

from scribe.plumbing.errors import BackendError, ContextFull, RequestRefused, TransientError, UsageError

KEY_VARIABLE = "SCRIBE_API_KEY"
RETRIES = 3
HIDDEN = "[API key]"
SHORTEST_KEY = 8
"""Letters of a key that is looked for in replies; a shorter one may be part of any word."""
LONGEST_PAUSE = 30.0
"""Seconds between two tries, whatever a server asks for."""
LARGEST_REPLY = 16_000_000
"""Bytes of one reply; whoever sends more never ends."""
PATIENCE = 10.0
"""How many times its time-out a reply may take in all: one that trickles never is without a byte so long."""

T = TypeVar("T")


class ChatClient:
    """A model behind an OpenAI-compatible address; threads may ask at once. It repeats nothing by itself.

    base_url: as OpenAI's clients take it, for example http://127.0.0.1:8080/v1. api_key: from the environment variable
    SCRIBE_API_KEY if not given; where a server says it back, it is replaced, or it would stand in logs and records.
    timeout: seconds without a byte; a whole reply may take PATIENCE times as long.
    Raises UsageError for what is no address.
    """

    def __init__(self, base_url: str, model: str, api_key: str | None = None, timeout: float = 120.0) -> None:
        self.url = chat_url(base_url)
        self.model = model
        self._longest = PATIENCE * timeout
        key = api_key if api_key is not None else os.environ.get(KEY_VARIABLE, "")
        self._secret = key if len(key) >= SHORTEST_KEY else ""
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        limits = httpx.Limits(max_connections=None, max_keepalive_connections=64)
        self._client = httpx.Client(timeout=httpx.Timeout(timeout, connect=10.0), headers=headers, limits=limits)
        weakref.finalize(self, self._client.close)

    def post(self, body: Mapping[str, Any]) -> Mapping[str, Any]:
        """Send one request that asks for no stream and return the completion. Raises as `stream` does."""
        (completion,) = self.stream(body)
        return completion

    def stream(self, body: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
        """Send one request and yield its chunks; the whole completion is one unless `body` asks for a stream.

        Raises TransientError if asking again may help, ContextFull or RequestRefused if another request may fare
        better, BackendError for all else.
        """
        try:
            with self._client.stream("POST", self.url, json=body) as response:
                pieces = _read_pieces(response, time.monotonic() + self._longest)
                if response.status_code != httpx.codes.OK:
                    raise error_of(response, self._hide(_join(pieces)), self.model)
                if body.get("stream"):
                    yield from map(_parse, map(self._hide, _read_events(pieces)))
                else:
                    yield _parse(self._hide(_join(pieces)))
        except httpx.ReadTimeout as error:
            raise TransientError(f"{self.url} did not answer in time; set a longer timeout") from error
        except httpx.RequestError as error:
            reason = str(error) or type(error).__name__
            raise TransientError(f"{self.url} cannot be reached ({reason}); is the server running?") from error

    def _hide(self, text: str) -> str:
        return text.replace(self._secret, HIDDEN) if self._secret else text


def retry(
    call: Callable[[], T],
    retries: int = RETRIES,
    pause: float = 1.0,
    may_retry: Callable[[TransientError], bool] = lambda problem: True,
    wait: Callable[[float], None] = time.sleep,
) -> T:
    """What `call` returns, tried again after a TransientError while `may_retry`.

    pause: seconds before the first retry, doubled each time, or longer where the server asks for it.
    """
    for attempt in range(retries):
        try:
            return call()
        except TransientError as problem:
            if not may_retry(problem):
                raise
            wait(min(max(pause * 2**attempt, problem.after), LONGEST_PAUSE))
    return call()


def error_of(response: httpx.Response, body: str, model: str) -> BackendError:
    """The error that a status other than 200 means, see `ChatClient.stream`."""
    status, text = response.status_code, " ".join(body.split())[:300]
    if status == httpx.codes.TOO_MANY_REQUESTS or status >= 500:
        return TransientError(f"the server is busy or broken (HTTP {status}): {text}", _asked_to_wait(response))
    if status in (httpx.codes.UNAUTHORIZED, httpx.codes.FORBIDDEN):
        return BackendError(f"the server refused the API key (HTTP {status}); set {KEY_VARIABLE}")
    if status == httpx.codes.NOT_FOUND:
        return BackendError(f"no model {model} at {response.url} (HTTP 404); check both: {text}")
    if re.search(r"context.{0,12}(length|size)|too long", text, re.IGNORECASE):
        numbers = [int(number) for number in re.findall(r"\d{3,}", text)] or [0]
        most = max(numbers)
        return ContextFull(most, next((number for number in numbers if number < most), most))
    return RequestRefused(f"the server did not accept the request (HTTP {status}): {text}")


def parse_address(address: str, example: str = "http://127.0.0.1:8080/v1") -> httpx.URL:
    """An http or https address. Raises UsageError that shows `example`."""
    try:
        url = httpx.URL(address)
        url.host.encode("idna" if url.host.isascii() else "utf-8")
        if url.port is not None and not 1 <= url.port <= 65535:
            raise httpx.InvalidURL(f"a port is 1 to 65535, not {url.port}")
    except (httpx.InvalidURL, UnicodeError) as error:
        raise UsageError(f"{address!r} is no address ({error}); write it as {example}") from error
    if url.scheme not in ("http", "https") or not url.host:
        raise UsageError(f"{address!r} is no address; write it with its scheme, such as {example}")
    return url


def chat_url(base_url: str) -> str:
    """Where an address as OpenAI's clients take it answers chat completions. Raises UsageError."""
    base = base_url.rstrip("/")
    return f"{base}{'' if parse_address(base).path.strip('/') else '/v1'}/chat/completions"


def is_campus_address(address: str) -> bool:
    """Whether an address is this machine or in a private network, as far as can be told without asking anyone."""
    host = httpx.URL(address).host
    try:
        ip = ipaddress.ip_address(host)
        return (getattr(ip, "ipv4_mapped", None) or ip).is_private
    except ValueError:
        return host == "localhost" or host.endswith((".localhost", ".local", ".internal"))


def _read_pieces(response: httpx.Response, until: float) -> Iterator[bytes]:
    """The body as it comes, unpacked. Raises BackendError where it goes on for ever, in bytes or in time."""
    size = 0
    for piece in response.iter_bytes():
        size += len(piece)
        if size > LARGEST_REPLY or time.monotonic() > until:
            what = "sent more than a reply can have" if size > LARGEST_REPLY else "did not come to an end in time"
            raise BackendError(f"{response.url} {what}; the request was broken off")
        yield piece


def _join(pieces: Iterator[bytes]) -> str:
    return b"".join(pieces).decode("utf-8", "replace")


def _read_events(pieces: Iterator[bytes]) -> Iterator[str]:
    """The data of each event of a server-sent stream."""
    held: list[bytes] = []  # of a line that is not whole yet
    for piece in pieces:
        first, *others = piece.split(b"\n")
        held.append(first)
        if others:
            yield from _find_data([b"".join(held), *others[:-1]])
            held = others[-1:]
    yield from _find_data([b"".join(held)])


def _find_data(lines: Iterable[bytes]) -> Iterator[str]:
    for line in lines:
        data = line.removeprefix(b"data:").strip()
        if line.startswith(b"data:") and data != b"[DONE]":
            yield data.decode("utf-8", "replace")


def _parse(data: str) -> Mapping[str, Any]:
    try:
        chunk = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise TransientError(f"the server answered with something else than JSON: {data[:80]!r}") from error
    if not isinstance(chunk, dict) or chunk.get("error"):
        raise BackendError(f"the server broke off: {data[:200]}")
    return chunk


def _asked_to_wait(response: httpx.Response) -> float:
    try:
        return float(response.headers.get("Retry-After", 0))
    except ValueError:  # a date; our own pause will do
        return 0.0
