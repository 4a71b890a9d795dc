"""A stand-in for a SearXNG on this machine: whatever is asked, three pages that say only that they are stand-ins.

Whether a model reaches for the tool is known before it reads the results, so these will do where there is no SearXNG.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from typing import Any
from urllib.parse import parse_qs, urlsplit

from eval.loopback import listening


@contextmanager
def stand_in() -> Iterator[str]:
    """The server's address, while it runs."""
    with listening(_Pages) as url:
        yield url.removesuffix("/v1")


class _Pages(BaseHTTPRequestHandler):
    def do_GET(self) -> None:  # the library calls it so
        query = parse_qs(urlsplit(self.path).query).get("q", [""])[0]
        body = json.dumps({"results": [_page(query, number) for number in (1, 2, 3)]}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


def _page(query: str, number: int) -> dict[str, str]:
    says = f"A page on {query[:80]} that stands in for a real one, because no web search was named."
    return {"title": f"Page {number} on {query[:60]}", "url": f"https://example.org/{number}", "content": says}
