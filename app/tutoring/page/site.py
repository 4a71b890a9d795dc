"""The tutor's pages put together: beside a chat, or alone on this machine."""

from collections.abc import Callable, Sequence
from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse

from app.tutoring.page.desk import TutoringDesk
from app.tutoring.page.gate import VisitorGate
from app.tutoring.page.overview import TaskOverview
from app.tutoring.page.texts import HERE
from app.web.serving import LOCAL, ClosedPage, SidePages, mount_sides
from app.web.texts import LANGUAGES, prefer_language

PREFIX = "/tutor/"


def build_tutoring(
    desk: TutoringDesk, choose: Callable[[Request], str], links: Sequence[tuple[str, str]] = ()
) -> SidePages:
    """The pages, whoever else is on the site. choose: the language of whoever asks; links: of the headings."""
    from app.tutoring.page.layout import build_tutor_page

    pages = {f"/tutor/{language}": build_tutor_page(desk, language, links) for language in LANGUAGES}
    return SidePages(pages, str(HERE / "page"), TaskOverview(desk, choose, links).routes())


def choose_by_browser(request: Request) -> str:
    """`en` or `fr`: what the browser likes better."""
    return prefer_language(request.headers.get("accept-language", ""))


def build_for_demo(desk: TutoringDesk) -> tuple[SidePages, Sequence[Any]]:
    """The pages beside a demo's chat, and the gate on the way there: each browser is a visitor of its own."""
    from starlette.middleware import Middleware

    links = (("back_chat", "/"),)
    return build_tutoring(desk, choose_by_browser, links), (Middleware(VisitorGate, prefix=PREFIX),)


def build_alone(desk: TutoringDesk, key: str, language: str | None = None) -> Any:
    """An application of these pages for the person of this machine who has the key, see `VisitorGate`.

    language: else the browser's.
    """
    from fastapi import FastAPI
    from starlette.middleware import Middleware
    from starlette.middleware.trustedhost import TrustedHostMiddleware

    side = build_tutoring(desk, lambda request: language or choose_by_browser(request))
    guards = [
        Middleware(ClosedPage),
        Middleware(TrustedHostMiddleware, allowed_hosts=list(LOCAL)),
        Middleware(VisitorGate, key=key),
        side.guard(),
    ]
    application = FastAPI(docs_url=None, redoc_url=None, openapi_url=None, middleware=guards, routes=list(side.routes))
    application.add_api_route("/", lambda: RedirectResponse(PREFIX, 303), methods=["GET"])
    return mount_sides(application, side, None)
