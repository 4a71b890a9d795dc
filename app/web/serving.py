"""Where a page listens: this machine only while it is a demo, on a port that is free.

Every response tells the browser that nothing of the page may be fetched from elsewhere, or told to it. A report or an
answer may hold the address of a picture, and whoever asks for that tells the other side what stands in it. Text is not
searched for such addresses, since there are too many ways to write one; the browser refuses them all.
"""

import ipaddress
import socket
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.web.page_guard import PageGuard
from app.web.texts import prefer_language
from scribe.plumbing.errors import UsageError

HERE = Path(__file__).parent
PORTS_TRIED = 20
DEMO = "the demo does not listen on {host}: whoever opens it may be any student"
# Gradio's own scripts and styles stand in the page, and some of them are made as it runs.
POLICY = "default-src 'self' data: blob: 'unsafe-inline' 'unsafe-eval'; base-uri 'self'; form-action 'self'"
HEADERS = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-dns-prefetch-control", b"off"),  # or the mere name of a link's host is looked up
    (b"referrer-policy", b"same-origin"),  # not none at all: then a form of ours would name no origin
)


def refuse_unless_loopback(host: str, why: str = DEMO) -> None:
    """Raise UsageError for an address that others can reach, which says why: a demo lets anyone be any student."""
    try:
        inside = host == "localhost" or ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        inside = False
    if not inside:
        raise UsageError(f"{why.format(host=host)}. Leave --host out, or use 127.0.0.1")


LOCAL = ("localhost", "127.0.0.1", "[::1]")
"""What a request's Host may say where nobody else is named: another site's name that leads here is not ours."""


def find_free_port(host: str, first: int) -> int:
    """The first free port from `first` on. Raises UsageError if the next twenty are taken."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for port in range(first, min(first + PORTS_TRIED, 65536)):
        with socket.socket(family) as door:
            door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                door.bind((host.strip("[]"), port))
            except OSError:
                continue
            return port
    raise UsageError(f"no free port from {first} to {first + PORTS_TRIED - 1} on {host}; give another --port")


class ClosedPage:
    """An ASGI application whose responses carry these headers too."""

    def __init__(self, app: Any) -> None:
        self._app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer one request."""

        async def add_headers(message: Any) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message.get("headers", ()), *HEADERS]}
            await send(message)

        await self._app(scope, receive, add_headers)


def serve(page: Any, host: str, port: int, wait: bool = True, looks: str = "page") -> None:
    """Listen; returns at once with wait=False, else when interrupted. looks: the name of its css and js file here."""
    from starlette.middleware import Middleware
    from starlette.middleware.trustedhost import TrustedHostMiddleware

    guards = [
        Middleware(ClosedPage),
        Middleware(TrustedHostMiddleware, allowed_hosts=list(LOCAL)),
        Middleware(PageGuard, pages={"": page}),
    ]
    page.launch(
        server_name=host,
        server_port=port,
        share=False,
        quiet=True,
        prevent_thread_lock=not wait,
        app_kwargs={"middleware": guards},
        **_describe_looks(looks),
    )


@dataclass(frozen=True, slots=True)
class SidePages:
    """Pages that lie beside others: gr.Blocks by path, what they look like (see `mount_page`), and plain routes."""

    pages: Mapping[str, Any]
    looks: str
    routes: Sequence[Any]

    def guard(self) -> Any:
        """The guard before these pages, as Starlette's Middleware."""
        from starlette.middleware import Middleware

        return Middleware(PageGuard, pages=self.pages)


def mount_sides(application: Any, side: SidePages, find_user: Any) -> Any:
    """The application with these pages; it has their routes already."""
    for path, page in side.pages.items():
        application = mount_page(application, page, path, find_user, side.looks)
    return application


def build_demo(pages: Mapping[str, Any], side: SidePages | None = None, gates: Sequence[Any] = ()) -> Any:
    """An application that shows one of the pages, by language, after what the browser likes best.

    side: what lies beside them; gates: Middleware that a request passes on its way there.
    """
    from fastapi import FastAPI, Request
    from fastapi.responses import RedirectResponse
    from starlette.middleware import Middleware
    from starlette.middleware.trustedhost import TrustedHostMiddleware

    middleware = [
        Middleware(ClosedPage),
        Middleware(TrustedHostMiddleware, allowed_hosts=list(LOCAL)),
        *gates,
        Middleware(PageGuard, pages={f"/{language}": page for language, page in pages.items()}),
        *([side.guard()] if side else ()),
    ]
    routes = list(side.routes) if side else None
    application = FastAPI(docs_url=None, redoc_url=None, openapi_url=None, middleware=middleware, routes=routes)

    def choose(request: Request) -> RedirectResponse:
        return RedirectResponse(f"/{prefer_language(request.headers.get('accept-language', ''))}/", 303)

    application.add_api_route("/", choose, methods=["GET"])
    for language, page in pages.items():
        application = mount_page(application, page, f"/{language}", None)
    return mount_sides(application, side, None) if side else application


def listen(application: Any, host: str, port: int) -> None:
    """Serve an application until interrupted."""
    import uvicorn

    uvicorn.Server(configure(application, host, port)).run()


def configure(application: Any, host: str, port: int) -> Any:
    """How uvicorn serves an application, as a uvicorn.Config."""
    import uvicorn

    # What a proxy says of the other side is not taken for the other side's address: `app.accounts.header` looks at it.
    return uvicorn.Config(
        application,
        host=host.strip("[]"),
        port=port,
        log_level="warning",
        proxy_headers=False,
        server_header=False,
        timeout_graceful_shutdown=10,
        log_config=None,
    )


def mount_page(application: Any, page: Any, path: str, find_user: Any, looks: str = "page") -> Any:
    """The application with a page under a path. find_user: from a request to who is asking, or None for nobody.

    looks: css and js file without their endings, in this folder or by their whole path.
    """
    import gradio as gr

    return gr.mount_gradio_app(application, page, path, auth_dependency=find_user, **_describe_looks(looks))


def _describe_looks(looks: str) -> dict[str, Any]:
    """What a page looks like, and what of Gradio's is shut off; the same however it is served."""
    import gradio as gr

    return {
        "ssr_mode": False,
        "run_history": False,
        "footer_links": [],
        "show_error": False,
        "enable_monitoring": False,
        "max_file_size": "1kb",
        # A theme with fonts of the machine: the default ones may be asked from elsewhere.
        "theme": gr.themes.Base(primary_hue="teal", neutral_hue="slate", font=["system-ui", "sans-serif"]),
        "css_paths": HERE / f"{looks}.css",
        "js": (HERE / f"{looks}.js").read_text(encoding="utf-8"),
    }
