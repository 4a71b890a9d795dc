"""What every response tells the browser: nothing of the page may be fetched from elsewhere, or told to it.

A report or an answer may hold the address of a picture, and whoever asks for that tells the other side what stands in
it. Text is not searched for such addresses: there are too many ways to write one. The browser refuses them all.
"""

from typing import Any

# Gradio's own scripts and styles stand in the page, and some of them are made as it runs.
POLICY = "default-src 'self' data: blob: 'unsafe-inline' 'unsafe-eval'; base-uri 'self'; form-action 'self'"
HEADERS = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-dns-prefetch-control", b"off"),  # or the mere name of a link's host is looked up
    (b"referrer-policy", b"no-referrer"),
)


class ClosedPage:
    """An ASGI application whose responses carry these headers too."""

    def __init__(self, app: Any) -> None:
        self._app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer one request."""

        async def told(message: Any) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message.get("headers", ()), *HEADERS]}
            await send(message)

        await self._app(scope, receive, told)
