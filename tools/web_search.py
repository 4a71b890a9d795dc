"""What the web says, through a SearXNG that the campus runs. The one tool that leaves the machine: off unless named.

It is in no training data, so that it shows whether a model can use a tool that it never saw.
"""

import json
import re
import time
import weakref
from collections.abc import Iterator, Mapping
from html import unescape
from typing import Any

import httpx

from scribe.plumbing.errors import UsageError
from scribe.plumbing.http import is_campus_address, parse_address
from scribe.tool import Tool
from tools.search.text import shorten
from tools.view import clean_query, no_data

RESULTS, WORDS = 3, 40
LONGEST = 400
"""Characters of one result's text, whatever it calls words."""
SECONDS = 5.0
LARGEST = 2_000_000
"""Bytes of a reply that are read; more is no list of results."""
LONGEST_ADDRESS = 200
EXAMPLE = "http://127.0.0.1:8888"
NOTE = "Pages of the web, which may be wrong and know nothing of this course."
NO_LIST = "The web search gave something that is no list of results."
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>|<!--.*?-->", re.DOTALL)


class WebSearchFailed(Exception):
    """The search gave no results that can be read: not the model's mistake, so it hears of it as of missing data."""


class WebSearch:
    """A SearXNG address, http or https, whose settings allow the format json; threads may ask at once.

    allow_remote: whether it may be outside this machine and private networks; students' words go there.
    seconds: to connect, without a byte, and all in all. Raises UsageError for an address that cannot be used.
    """

    def __init__(self, address: str, allow_remote: bool = False, seconds: float = SECONDS) -> None:
        self.url = _search_url(address)
        if not allow_remote and not is_campus_address(self.url):
            raise UsageError(
                f"{address} is outside this network, and what students ask would go there; name a SearXNG of the "
                "campus, or set allow_remote = true under [tools] if that may be"
            )
        self._seconds = seconds
        # No redirects, and no proxy of the environment unless words may leave: both could lead out of the network.
        self._client = httpx.Client(
            timeout=seconds, headers={"Accept": "application/json"}, follow_redirects=False, trust_env=allow_remote
        )
        weakref.finalize(self, self._client.close)

    def find(self, query: str, language: str = "en") -> list[dict[str, str]]:
        """The best results: title, what the page says, and address. Raises WebSearchFailed, in words for the model.

        All that leaves the machine is the query and the course's language.
        """
        try:
            given = {"q": query, "format": "json", "language": language, "safesearch": "1"}
            until = time.monotonic() + self._seconds
            with self._client.stream("GET", self.url, params=given) as response:
                body = _read_body(response, until)
            if response.status_code != httpx.codes.OK:
                raise WebSearchFailed(_explain_status(response.status_code))
            return list(_read_results(body))[:RESULTS]
        except httpx.TimeoutException as error:
            raise WebSearchFailed("The web search took too long.") from error
        except httpx.HTTPError as error:
            raise WebSearchFailed("The web search cannot be reached now.") from error

    def tool(self, language: str = "en") -> Tool:
        """The tool for a course in this language; it is the same for every student and knows nothing of any."""

        def web_search(query: str) -> dict[str, Any]:
            """Search the public web, for what neither the report nor the course material can know."""
            subject = clean_query(_clean_text(query))
            try:
                found = self.find(subject, language)
            except WebSearchFailed as error:
                return no_data(str(error))
            if not found:
                return no_data(f"The web search found nothing on {shorten(subject, 8)}.")
            return {"results": found, "note": NOTE}

        return Tool.of(web_search)


def _search_url(address: str) -> str:
    url = parse_address(address, EXAMPLE)
    if url.query or url.fragment:
        raise UsageError(f"{address!r} is no address of a SearXNG; write it as {EXAMPLE}")
    return f"{str(url).rstrip('/').removesuffix('/search')}/search"


def _read_body(response: httpx.Response, until: float) -> bytes:
    body = bytearray()
    for piece in response.iter_bytes():
        body += piece
        if time.monotonic() > until:
            raise httpx.ReadTimeout("the reply came too slowly")
        if len(body) > LARGEST:
            raise WebSearchFailed(NO_LIST)
    return bytes(body)


def _explain_status(status: int) -> str:
    """What a status means, for the model and for whoever reads the record."""
    if status == httpx.codes.FORBIDDEN:
        return "The web search is not set up: its settings must allow the format json."
    if status == httpx.codes.TOO_MANY_REQUESTS:
        return "The web search is asked too often now."
    return f"The web search failed (HTTP {status})."


def _read_results(body: bytes) -> Iterator[dict[str, str]]:
    """The results that have a title and the address of a page, shortened."""
    try:
        listed = json.loads(body)["results"]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise WebSearchFailed(NO_LIST) from error
    for one in filter(lambda one: isinstance(one, Mapping), listed if isinstance(listed, list) else ()):
        title, address = _clean_text(one.get("title")), _shorten_address(one.get("url"))
        if title and address:
            yield {
                "title": _shorten_text(title, 15),
                "says": _shorten_text(_clean_text(one.get("content")), WORDS),
                "url": address,
            }


def _shorten_address(url: object) -> str:
    """A page's address; of one too long to copy that of its site; nothing if it is none of the web."""
    try:
        found = httpx.URL(_clean_text(url))
    except httpx.InvalidURL:
        return ""
    if found.scheme not in ("http", "https") or not found.host:
        return ""
    whole = str(found)
    site = f"{found.scheme}://{found.netloc.decode('ascii')}/"
    return whole if len(whole) <= LONGEST_ADDRESS else site if len(site) <= LONGEST_ADDRESS else ""


def _clean_text(text: object) -> str:
    """Text of a page on one line without HTML's tags and whatever cannot be seen or written, which could hide words."""
    shown = _TAG.sub(" ", unescape(_TAG.sub(" ", text))) if isinstance(text, str) else ""
    line = " ".join("".join(letter if letter.isprintable() else " " for letter in shown).split())
    return line.replace("](", "] (")  # no link, and no picture that the chat page would fetch


def _shorten_text(text: str, words: int) -> str:
    return shorten(text[:LONGEST], words)
