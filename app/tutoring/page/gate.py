"""The gate before the tutor's pages where nobody signs in: who is visiting, by a cookie.

Other people of the same machine can reach its loopback addresses too, so an address alone lets nobody at a lesson.
"""

import hashlib
import re
import secrets
from pathlib import Path
from typing import Any

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response

from app.tutoring.page.hosts import VISITOR
from app.tutoring.page.texts import load_tutor_texts
from app.web.texts import prefer_language
from scribe.plumbing.files import PRIVATE, write_text

COOKIE, KEY = "scribe-tutor", "key"
DAYS = 365
_WORD = re.compile(r"[\w-]{43}")


class VisitorGate:
    """An ASGI application in front of another; `request.state` says behind it whose folder of lessons is shown.

    key: whoever brings it in the address, once, is the owner, and nobody else gets in. Without one each browser is a
    visitor of its own, known by a word that it alone has.
    """

    def __init__(self, app: Any, key: str = "", prefix: str = "/") -> None:
        self._app, self._key, self._prefix = app, key, prefix
        self._cookie = f"{COOKIE}-{KEY}" if key else COOKIE

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Let a request through, or answer it."""
        if scope["type"] != "http" or not scope["path"].startswith(self._prefix):
            await self._app(scope, receive, send)
            return
        request = Request(scope)
        given = request.cookies.get(self._cookie, "")
        refusal = self._let_in(request, given) if self._key else None
        if refusal is not None:
            await refusal(scope, receive, send)
            return
        new = "" if self._key or _WORD.fullmatch(given) else secrets.token_urlsafe(32)
        scope.setdefault("state", {})[VISITOR] = "" if self._key else _name_folder(new or given)
        await self._app(scope, receive, _add_cookie(send, _write_cookie(self._cookie, new)) if new else send)

    def _let_in(self, request: Request, given: str) -> Response | None:
        """What to answer instead; None for the owner."""
        if secrets.compare_digest(given.encode(), self._key.encode()):
            return None
        brought = request.query_params.get(KEY, "")
        if request.method == "GET" and secrets.compare_digest(brought.encode(), self._key.encode()):
            answer = RedirectResponse(str(request.url.remove_query_params(KEY)), 303)
            answer.headers["set-cookie"] = _write_cookie(self._cookie, self._key)
            return answer
        language = prefer_language(request.headers.get("accept-language", ""))
        return PlainTextResponse(load_tutor_texts(language)["locked"], 403)


def open_key(path: Path) -> str:
    """The word in a file that its owner alone may read, a new one if there is none yet. Raises OSError."""
    known = path.read_text(encoding="ascii").strip() if path.exists() else ""
    if _WORD.fullmatch(known):
        return known
    key = secrets.token_urlsafe(32)
    write_text(path, key + "\n", PRIVATE)
    return key


def _name_folder(word: str) -> str:
    """So that whoever sees the folder does not have the word."""
    return f"visitors/{hashlib.sha256(word.encode()).hexdigest()[:32]}"


def _write_cookie(name: str, word: str) -> str:
    return f"{name}={word}; Path=/; Max-Age={DAYS * 86_400}; HttpOnly; SameSite=Strict"


def _add_cookie(send: Any, cookie: str) -> Any:
    async def send_with(message: Any) -> None:
        if message["type"] == "http.response.start":
            MutableHeaders(scope=message).append("set-cookie", cookie)
        await send(message)

    return send_with
