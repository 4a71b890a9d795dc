"""The chat page fetches nothing that a report or an answer names. Skipped where there is no Chromium."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest

from app.web import serving
from data import bundle
from tests.app.told import call, final, mini_courses
from tests.scribe.scripted import ScriptedBackend
from tools.assembly.assistant import assemble
from tools.assembly.settings import AssistantSettings


class ScriptedElsewhere(ThreadingHTTPServer):
    """A server outside the campus that keeps what it is asked for."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Asked)
        self.asked: list[str] = []
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://localhost:{self.server_port}"


class _Asked(BaseHTTPRequestHandler):
    server: ScriptedElsewhere

    def do_GET(self) -> None:
        self.server.asked.append(self.path)
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


@pytest.fixture
def elsewhere() -> Iterator[ScriptedElsewhere]:
    server = ScriptedElsewhere()
    yield server
    server.shutdown()
    server.server_close()


def hostile(url: str, where: str) -> str:
    """The ways in which a text can name what a browser fetches."""
    there = f"{url}/{where}"
    return (
        f"![one]({there}/markdown.png) <img src='{there}/tag.png'> "
        f"<b style=\"background:url('{there}/style.png')\">bold</b> <video src='{there}/video.mp4' autoplay></video> "
        f"<link rel='stylesheet' href='{there}/sheet.css'> <iframe src='{there}/frame'></iframe>"
    )


@pytest.fixture
def address(elsewhere: ScriptedElsewhere, tmp_path: Path) -> Iterator[str]:
    from app.web.page import build_page

    folder = mini_courses(tmp_path)
    report = folder / "mini" / "reports" / "s001.nr.md"
    report.write_text(f"Your sessions were few. {hostile(elsewhere.url, 'report')}\n")
    turns = (call("map_week_to_topic", week=2), final(f"It is called Middle. {hostile(elsewhere.url, 'answer')}"))
    settings = AssistantSettings().with_changes("courses", folder=str(folder), course="mini")
    blocks = build_page(assemble(settings, bundle.load(folder / "mini"), ScriptedBackend(turns)))
    port = serving.find_free_port("127.0.0.1", 18060)
    serving.serve(blocks, "127.0.0.1", port, wait=False)
    yield f"http://127.0.0.1:{port}"
    blocks.close()


def test_pictures_in_a_report_a_question_or_an_answer_are_not_fetched(
    address: str, elsewhere: ScriptedElsewhere, browser: Any
) -> None:
    page = browser.new_page()
    page.set_default_timeout(60_000)
    page.goto(address)
    page.get_by_text("Your sessions were few.").wait_for()
    page.get_by_role("textbox", name="Your question").fill(f"Week 2? {hostile(elsewhere.url, 'question')}")
    page.get_by_role("button", name="Send").click()
    page.get_by_text("It is called Middle.").wait_for()
    page.wait_for_function("[...document.images].every(image => image.complete)")
    assert page.locator(f"img[src^='{elsewhere.url}']").count() >= 2  # they are there, and stay empty
    page.close()
    assert elsewhere.asked == []


@pytest.mark.parametrize("path", ["/", "/config", "/gradio_api/info", "/nowhere"])
def test_every_response_tells_the_browser_so(address: str, path: str) -> None:
    sent = httpx.get(f"{address}{path}")
    assert "default-src 'self'" in sent.headers["content-security-policy"]
    assert sent.headers["x-dns-prefetch-control"] == "off"
