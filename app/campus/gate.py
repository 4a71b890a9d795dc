"""The gate that every request passes, whatever is mounted behind it: size, origin, sign-in, course, consent.

What lies behind relies on it: `request.state.person` is who is asking, of a course's paths a student of it.
"""

import logging
from collections.abc import Callable
from urllib.parse import quote, urlsplit

from starlette.concurrency import run_in_threadpool
from starlette.requests import HTTPConnection, Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.accounts.person import Person
from app.accounts.session import read_person
from app.store.database import StorageError

OPEN = ("/sign-in", "/healthz", "/metrics", "/static")
"""Where people come without having signed in; each of these guards itself."""
LAUNCHES = ("/sign-in/lti/",)
"""Where other sites may post to: what they send is signed."""
COURSES, TUTOR = "/c/", "/tutor/"
LARGEST_BODY = 1_000_000
"""Bytes of a request; a question has 2,000 letters."""

Identify = Callable[[HTTPConnection], Person | None]

log = logging.getLogger(__name__)


class BodyTooLarge(Exception):
    """A request went on beyond what it may have."""


class Gate:
    """An ASGI application in front of another.

    identify: who a request's headers say it is of, if they may. agreed: whether a person's consent holds.
    apologise: the page for whom the database keeps waiting in vain.
    """

    def __init__(
        self,
        app: ASGIApp,
        identify: Identify,
        agreed: Callable[[Person], bool],
        apologise: Callable[[Request], Response],
    ) -> None:
        self._app = app
        self._identify = identify
        self._agreed = agreed
        self._apologise = apologise

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or answer it."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            return  # nothing of ours speaks over a web socket
        request = Request(scope)
        try:
            refusal = self._refuse(request, scope["method"]) or await self._ask_first(request, scope["method"])
            await (refusal(scope, receive, send) if refusal else self._app(scope, _limit_body(receive), send))
        except BodyTooLarge:
            await PlainTextResponse("too large", 413)(scope, receive, send)
        except StorageError as error:
            log.warning("a page could not be shown: %s", error)
            await self._apologise(request)(scope, receive, send)

    async def _ask_first(self, request: HTTPConnection, method: str) -> Response | None:
        """The way to the consent, for whom has to agree before a course or the tutor is opened.

        The database is asked in a thread: while it is locked, others' answers go on.
        """
        path = request.url.path
        if not path.startswith((COURSES, TUTOR)) or await run_in_threadpool(self._agreed, request.state.person):
            return None
        return _send_to("/consent", path, _is_page(request, method), 403)

    def _refuse(self, request: HTTPConnection, method: str) -> Response | None:
        """What to answer instead of letting the request through."""
        path = request.url.path
        length = request.headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > LARGEST_BODY:
            return PlainTextResponse("too large", 413)
        if method not in ("GET", "HEAD") and not path.startswith(LAUNCHES) and not is_same_origin(request):
            return PlainTextResponse("this was sent from another site", 403)
        person = self._identify(request) or read_person(request.session)
        request.state.person = person
        if any(path == each or path.startswith(f"{each}/") for each in OPEN):
            return None
        if person is None:
            return _send_to("/sign-in", path, _is_page(request, method), 401)
        if not path.startswith(COURSES):
            return None
        place = person.places.get(path.removeprefix(COURSES).split("/")[0])
        if place is None or place.role != "student":
            return PlainTextResponse("there is no such course for you", 404)
        return None


def is_same_origin(request: HTTPConnection) -> bool:
    """Whether a browser says that our own page made this request, or nothing that speaks for another one."""
    site = request.headers.get("sec-fetch-site")
    if site is not None:  # which no page can set; the origin of a page that sends no referrer is `null`
        return site in ("same-origin", "none")
    origin = request.headers.get("origin")
    return origin is None or urlsplit(origin).netloc == request.headers.get("host")


def _is_page(request: HTTPConnection, method: str) -> bool:
    """Whether a person is looking, and not a program of the page."""
    return method == "GET" and "text/html" in request.headers.get("accept", "")


def _send_to(where: str, path: str, page: bool, status: int) -> Response:
    """To another page if a person is looking, else the status."""
    if page:
        return RedirectResponse(f"{where}?next={quote(path)}", 303)
    return PlainTextResponse("sign in first" if status == 401 else "agree first", status)


def _limit_body(receive: Receive) -> Receive:
    """The same body, until it is too long."""
    seen = 0

    async def limited() -> Message:
        nonlocal seen
        message = await receive()
        seen += len(message.get("body", b""))
        if seen > LARGEST_BODY:
            raise BodyTooLarge
        return message

    return limited
