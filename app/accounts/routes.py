"""What the routes of all ways to sign in share: addresses of ours, languages, and how a sign-in fails."""

import logging
from urllib.parse import urlsplit

from authlib.common.errors import AuthlibBaseError
from joserfc.errors import JoseError
from starlette.requests import HTTPConnection, Request
from starlette.responses import RedirectResponse, Response

from app.accounts.person import LANGUAGES
from scribe.plumbing.errors import ScribeError, UsageError

log = logging.getLogger(__name__)


class SignInError(ScribeError):
    """A sign-in that cannot be believed. reason: of those that the sign-in page has a text for."""

    def __init__(self, message: str, reason: str = "") -> None:
        super().__init__(message)
        self.reason = reason


def read_target(given: object) -> str:
    """A path of ours to go on to; the first page for anything that might lead elsewhere."""
    target = str(given or "/")
    plain = target.startswith("/") and not target.startswith(("//", "/\\"))
    return target if plain and target.isprintable() and "\\" not in target else "/"


def build_address(request: HTTPConnection, https: bool, path: str) -> str:
    """The address of a path as people see it: under the name that the request was for, whatever a proxy changed."""
    return f"{'https' if https else 'http'}://{request.headers.get('host', '')}{path}"


def read_language(locale: object) -> str:
    """The language of ours that a locale like fr-CH or fr_ca names; empty if it names none."""
    language = locale.replace("_", "-").split("-")[0].lower() if isinstance(locale, str) else ""
    return language if language in LANGUAGES else ""


def refuse_unless_safe(address: str, what: str) -> str:
    """The address. Raises UsageError if it is neither of https nor of this machine."""
    parts = urlsplit(address)
    local = parts.hostname in ("localhost", "127.0.0.1", "::1")
    if not parts.hostname or parts.scheme not in (("https", "http") if local else ("https",)):
        raise UsageError(f"{what}: {address!r} is no address that begins with https://")
    return address


def fail(request: Request, way: str, error: Exception) -> Response:
    """Back to the sign-in page, with a line in the log that holds neither tokens nor accounts."""
    log.warning("sign-in by %s failed: %s", way, _describe(error))
    reason = error.reason if isinstance(error, SignInError) else ""
    return RedirectResponse(f"/sign-in?failed={reason}", 303)


def _describe(error: Exception) -> str:
    """The kind of an error, and its words where they are ours or a standard's."""
    kind = type(error).__name__
    if isinstance(error, SignInError):
        return str(error)
    if isinstance(error, AuthlibBaseError):
        return f"{kind} {str(error.error)[:60]!r}"
    return f"{kind} {error.description[:100]!r}" if isinstance(error, JoseError) else kind
