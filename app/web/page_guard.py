"""The guard before Gradio: of its many paths only those that a page of ours needs, and of events only possible ones.

Gradio can write a conversation to a file for a link, take uploads, fetch for others and show its own insides. Nothing
of that is needed. What a browser sends with an event is held against the page's own parts first: Gradio answers a value
that cannot be with a page of traces in the log, and an event that it does not have with a fault. It also lets whoever
knows the name of a session read its stream and cancel its events, so a session is first held against whose it is.
"""

import json
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qs

from app.web.session_owners import SessionOwners

LARGEST_EVENT = 100_000
"""Bytes of an event; a question has 2,000 letters."""
EVENTS = ("queue/join", "run/predict")
SESSIONS = (*EVENTS, "queue/data", "cancel")
"""What is of no use without the name of a session."""
_OPEN = re.compile(
    r"queue/(?:join|data)|run/[\w-]{1,60}|heartbeat/[\w-]{1,64}|reset|cancel|startup-events|info|app_id|user|theme\.css"
)
_SESSION = re.compile(r"[A-Za-z0-9_-]{1,64}")
_API = "/gradio_api/"


class PageGuard:
    """An ASGI application before pages of Gradio. pages: gr.Blocks by the path under which they lie, "" for none."""

    def __init__(self, app: Any, pages: Mapping[str, Any]) -> None:
        self._app = app
        self._pages = pages
        self._owners = SessionOwners()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Let a request through, or answer it with what is wrong with it."""
        path = scope.get("path", "")
        place = next((each for each in self._pages if scope["type"] == "http" and path.startswith(each + _API)), None)
        if place is None:
            await self._app(scope, receive, send)
            return
        name = path.removeprefix(place + _API).rstrip("/")
        if not _OPEN.fullmatch(name):
            await _answer(send, 404, "there is no such path")
            return
        body = b""
        while True:
            message = await receive()
            body += message.get("body", b"")
            if len(body) > LARGEST_EVENT:
                await _answer(send, 413, "too large")
                return
            if message["type"] == "http.disconnect" or not message.get("more_body"):
                break
        if name in EVENTS and (wrong := find_fault(self._pages[place], body)):
            await _answer(send, 400, wrong)
            return
        if not self._is_theirs(scope, self._pages[place], name, body):
            await _answer(send, 404, "there is no such session of yours")
            return
        await self._app(scope, _give_back(message | {"body": body}, receive), send)

    def _is_theirs(self, scope: Any, page: Any, name: str, body: bytes) -> bool:
        """Whether the session that a request names, if any, is of whoever asks, and there to be read or cancelled."""
        session, event = _read_session(scope, name, body)
        if session is None:
            return name not in SESSIONS
        person = getattr(scope.get("state", {}).get("person"), "id", "")
        if not _is_session(session) or not self._owners.admit(session, person):
            return False
        if name == "queue/data":  # of one without messages Gradio fills the log with traces
            return session in page._queue.pending_messages_per_session
        return name != "cancel" or event in page._queue.pending_event_ids_session.get(session, ())


def _read_session(scope: Any, name: str, body: bytes) -> tuple[Any, Any]:
    """The names of session and event in a request, or None; in its body, its query or its path."""
    if name.startswith("heartbeat/"):
        return name.removeprefix("heartbeat/"), None
    if name == "queue/data":
        given = parse_qs(scope.get("query_string", b"").decode("latin-1"), keep_blank_values=True)
        named = given.get("session_hash", [])
        return (named[0] if len(named) == 1 else None), None
    try:
        told = json.loads(body) if body else {}
    except (ValueError, RecursionError):
        return None, None
    told = told if isinstance(told, dict) else {}
    event = told.get("event_id")
    return told.get("session_hash"), event if isinstance(event, str) else ""


def find_fault(page: Any, body: bytes) -> str:
    """What is wrong with an event for this page (gr.Blocks); empty if Gradio can take it."""
    try:
        event = json.loads(body)
    except (ValueError, RecursionError):
        return "this is no event"
    if not isinstance(event, dict) or not _is_session(event.get("session_hash")):
        return "this is no event of a page"
    index = event.get("fn_index")
    function = page.fns.get(index) if type(index) is int else None  # True is an int too
    if function is None:
        return "the page has no such event"
    values = event.get("data")
    if not isinstance(values, list) or len(values) != len(function.inputs):
        return f"this event has {len(function.inputs)} values"
    if not all(_may_have(part, value) for part, value in zip(function.inputs, values, strict=True)):
        return "the page cannot have such a value"
    told, thumb = event.get("event_data"), any(name == "like" for _, name in function.targets)
    plain = isinstance(told, dict) if thumb else isinstance(told, dict | None)
    whole = not thumb or (isinstance(told, dict) and isinstance(told.get("index"), int) and "value" in told)
    return "" if plain and whole else "the page cannot have such an event"


def _may_have(part: Any, value: Any) -> bool:
    """Whether a component can hold a value that came from a browser."""
    choices = getattr(part, "choices", None)
    if value is None or part.get_block_name() == "state":  # the browser's is not looked at
        return True
    if choices:
        return any(type(value) is type(known) and value == known for _, known in choices)
    return isinstance(value, str)


def _is_session(name: Any) -> bool:
    return isinstance(name, str) and _SESSION.fullmatch(name) is not None


async def _answer(send: Any, status: int, words: str) -> None:
    head = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", str(len(words)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": head})
    await send({"type": "http.response.body", "body": words.encode()})


def _give_back(first: Any, receive: Any) -> Any:
    """What was read of a request, once more, and then what follows."""
    waiting = [first]

    async def receive_again() -> Any:
        return waiting.pop() if waiting else await receive()

    return receive_again
