"""The tutor beside the demo's chat: each browser is a visitor of its own."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from app.tutoring.opening import TutorOpener
from app.tutoring.page.desk import TutoringDesk, read_tasks
from app.tutoring.page.hosts import FileHost
from app.tutoring.page.site import build_for_demo
from app.web.serving import build_demo
from tests.app.campus.running import run_application
from tests.app.tutoring.page.scripted_tutor import ScriptedTutor


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder: Path = tmp_path_factory.mktemp("lessons")
    desk = TutoringDesk(read_tasks(), FileHost(folder), TutorOpener(ScriptedTutor()))
    with run_application(build_demo({}, *build_for_demo(desk))) as where:
        yield where


def test_it_is_in_the_browsers_language_and_leads_back_to_the_chat(address: str) -> None:
    with httpx.Client(base_url=address, headers={"accept-language": "fr-CH"}, follow_redirects=True) as browser:
        told = browser.get("/tutor/")
        assert str(told.url).endswith("/tutor/tasks/fr")
        assert '<a href="/">Rapport de feedback</a>' in told.text
        assert browser.cookies["scribe-tutor"]
        assert browser.get("/tutor/open/loan-desk").url.query == b"task=loan-desk"
        assert "default-src 'self'" in told.headers["content-security-policy"]


@pytest.mark.parametrize("path", ["upload", "deep_link?session_hash=x", "file=/etc/passwd", "queue/status"])
def test_of_gradios_paths_only_those_that_the_page_needs_are_open(address: str, path: str) -> None:
    assert httpx.get(f"{address}/tutor/en/gradio_api/{path}").status_code == 404
