"""What the web says, through a SearXNG that the campus runs. The one tool that leaves the machine: off unless named.

It is in no training data, so that it shows whether a model can use a tool that it never saw.
"""

import ipaddress
import time
import weakref
from collections.abc import Iterator, Mapping
from html import unescape
from typing import Any

import httpx

from scribe.errors import UsageError
from scribe.tool import Refusal, Tool
from tools.arguments import no_data, words_of
from tools.phrases import phrases
from tools.wording import shortened

RESULTS, WORDS = 3, 40
LONGEST = 400
"""Characters of one result's text, whatever it calls words."""
SECONDS = 5.0
LARGEST = 2_000_000
"""Bytes of a reply that are read; more is no list of results."""


class WebSearch:
    """A SearXNG address, http or https, whose settings allow the format json; threads may ask at once.

    allow_remote: whether it may be outside this machine and private networks; students' words go there.
    seconds: to connect, without a byte, and all in all. Raises UsageError for an address that cannot be used.
    """

    def __init__(self, address: str, allow_remote: bool = False, seconds: float = SECONDS) -> None:
        self.url = _search_url(address)
        if not allow_remote and not is_near(self.url):
            raise UsageError(
                f"{address} is outside this network, and what students ask would go there; name a SearXNG of the "
                "campus, or set allow_remote = true under [tools] if that may be"
            )
        # No redirects: one could lead out of the network.
        self._seconds = seconds
        self._client = httpx.Client(timeout=seconds, headers={"Accept": "application/json"}, follow_redirects=False)
        weakref.finalize(self, self._client.close)

    def find(self, query: str, language: str = "en") -> list[dict[str, str]]:
        """The best results: title, what the page says, and address. Raises Refusal, in words for the model."""
        try:
            given = {"q": query, "format": "json", "language": language, "safesearch": "1"}
            until = time.monotonic() + self._seconds
            with self._client.stream("GET", self.url, params=given) as response:
                body = _body(response, until)
            if response.status_code != httpx.codes.OK:
                raise Refusal(_why(response.status_code))
            return list(_results(response, body))[:RESULTS]
        except httpx.TimeoutException as error:
            raise Refusal("The web search took too long. Answer without it.") from error
        except httpx.HTTPError as error:
            raise Refusal("The web search cannot be reached now. Answer without it.") from error


def make(web: WebSearch, language: str = "en") -> Tool:
    """The tool for a course in this language; it is the same for every student and knows nothing of any."""
    say = phrases(language)

    def web_search(query: str) -> dict[str, Any]:
        """Search the public web, for what neither the report nor the course material can know."""
        subject = words_of(query, say)
        found = web.find(subject, language)
        if not found:
            return no_data(say("web.nothing", subject=shortened(subject, 8)), say("web.instead"))
        return {"results": found, "note": say("web.note")}

    return Tool.of(web_search)


def is_near(address: str) -> bool:
    """Whether an address is this machine or in a private network, as far as can be told without asking anyone."""
    host = httpx.URL(address).host
    try:
        return ipaddress.ip_address(host).is_private
    except ValueError:
        return host == "localhost" or host.endswith((".localhost", ".local", ".internal"))


def _search_url(address: str) -> str:
    try:
        url = httpx.URL(address)
    except httpx.InvalidURL as error:
        raise UsageError(f"{address!r} is no address ({error}); write it as http://127.0.0.1:8888") from error
    if url.scheme not in ("http", "https") or not url.host:
        raise UsageError(f"{address!r} is no address of a SearXNG; write it as http://127.0.0.1:8888")
    return f"{str(url).rstrip('/').removesuffix('/search')}/search"


def _body(response: httpx.Response, until: float) -> bytes:
    body = b""
    for piece in response.iter_bytes():
        body += piece
        if time.monotonic() > until:
            raise httpx.ReadTimeout("the reply came too slowly")
        if len(body) > LARGEST:
            raise Refusal("The web search gave something that is no list of results. Answer without it.")
    return body


def _why(status: int) -> str:
    """What a status means, for the model and for whoever reads the record."""
    if status == httpx.codes.FORBIDDEN:
        return "The web search is not set up: its settings must allow the format json. Answer without it."
    if status == httpx.codes.TOO_MANY_REQUESTS:
        return "The web search is asked too often now. Answer without it."
    return f"The web search failed (HTTP {status}). Answer without it."


def _results(response: httpx.Response, body: bytes) -> Iterator[dict[str, str]]:
    """The results that have a title and an address, shortened."""
    try:
        listed = httpx.Response(200, content=body, headers={"content-type": "application/json"}).json()["results"]
    except (ValueError, KeyError, TypeError) as error:
        raise Refusal("The web search gave something that is no list of results. Answer without it.") from error
    for one in listed if isinstance(listed, list) else ():
        if isinstance(one, Mapping) and one.get("title") and one.get("url"):
            says = _plain(str(one.get("content") or ""), WORDS)
            yield {"title": _plain(str(one["title"]), 15), "says": says, "url": str(one["url"])[:200]}


def _plain(text: str, words: int) -> str:
    """Text of a page on one line, without what HTML writes otherwise."""
    return shortened(" ".join(unescape(text).split())[:LONGEST], words)
