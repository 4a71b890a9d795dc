"""A program that uses the chat page as a browser does: signs in, agrees, and asks by Gradio's queue protocol."""

import json
import re
import time
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import httpx

from scribe.plumbing.errors import UsageError

PATIENCE = httpx.Timeout(30, read=600)
_VERSION = re.compile(r'name="version" value="([^"]*)"')


@dataclass(frozen=True, slots=True)
class PageReply:
    """What came of a question. refusal: the page's words where it was not let in or failed, else empty.

    seconds: to the last word; first: to the first sign of the answer or of the place in the line.
    """

    text: str
    refusal: str
    first: float
    seconds: float


class PageVisitor:
    """One person at the page. headers: with which the proxy, in whose place this program is, says who that is."""

    def __init__(self, address: str, headers: Mapping[str, str], check_certificate: bool = True) -> None:
        self._client = httpx.AsyncClient(
            base_url=address, headers=headers, timeout=PATIENCE, follow_redirects=True, verify=check_certificate
        )
        self._chat = ""
        self._function = 0

    async def enter(self, course: str) -> None:
        """Open a course's chat, agreeing to the consent on the way. Raises UsageError if there is no way in."""
        page = await self._client.get(f"/c/{course}/", headers={"accept": "text/html"})
        if page.url.path == "/consent":
            version = _VERSION.search(page.text)
            sent = {"version": version.group(1) if version else "", "next": f"/c/{course}/"}
            page = await self._client.post("/consent", data=sent)
        if page.is_error or not page.url.path.startswith(f"/c/{course}/"):
            raise UsageError(f"no way in: {page.url} says {page.status_code}")
        self._chat = page.url.path
        functions = (await self._client.get(f"{self._chat}config")).json()["dependencies"]
        self._function = next(
            each["id"] for each in functions if any(event == "submit" for _, event in each["targets"])
        )

    async def ask(self, question: str, report: str = "nr") -> PageReply:
        """Ask, and read until it is over. Raises httpx.HTTPError."""
        began, first, words, text = time.perf_counter(), 0.0, "", ""
        session = uuid.uuid4().hex
        sent = {"data": [question, report, None], "fn_index": self._function, "session_hash": session}
        (await self._client.post(f"{self._chat}gradio_api/queue/join", json=sent)).raise_for_status()
        data, beat = f"{self._chat}gradio_api/queue/data", f"{self._chat}gradio_api/heartbeat/{session}"
        async with (
            self._client.stream("GET", beat),  # closed, it tells that the page was left
            self._client.stream("GET", data, params={"session_hash": session}) as stream,
        ):
            stream.raise_for_status()
            async for line in stream.aiter_lines():
                told: dict[str, Any] = (
                    json.loads(line.removeprefix("data:")) if line.startswith("data:") else {"msg": ""}
                )
                if told["msg"] == "process_generating":
                    first = first or time.perf_counter() - began
                elif told["msg"] == "log" and told.get("level") == "warning":
                    words = told["log"]
                elif told["msg"] == "process_completed":
                    text = _read_answer(told["output"].get("data"))
                    words = words or ("" if told["success"] else str(told["output"].get("error") or "it failed"))
                    break
        return PageReply(text, words, first, time.perf_counter() - began)

    async def close(self) -> None:
        """Leave."""
        await self._client.aclose()


def _read_answer(outputs: Any) -> str:
    """The last message's text of what the page was told last."""
    messages: list[Any] = outputs[0] if outputs and isinstance(outputs[0], list) else []
    content = messages[-1].get("content", "") if messages else ""
    parts: list[Any] = content if isinstance(content, list) else [content]
    return "".join(str(part.get("text", "")) if isinstance(part, dict) else str(part) for part in parts)
