"""Who gets at a lesson where nobody signs in."""

from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from app.tutoring.page.gate import COOKIE, VisitorGate, open_key
from app.tutoring.page.hosts import VISITOR

KEY = "k" * 43


def make_client(key: str) -> TestClient:
    """A browser, at a site that tells whose folder a request would see."""

    def tell(request: Request) -> PlainTextResponse:
        return PlainTextResponse(repr(getattr(request.state, VISITOR, None)))

    routes = [Route("/tutor/", tell, methods=["GET", "POST"]), Route("/other", tell)]
    gate = Middleware(VisitorGate, key=key, prefix="/tutor/")
    return TestClient(Starlette(routes=routes, middleware=[gate]), follow_redirects=False)


def test_the_key_lets_in_once_for_always_and_leaves_the_address() -> None:
    browser = make_client(KEY)
    sent = browser.get(f"/tutor/?key={KEY}&task=x")
    assert sent.status_code == 303
    assert sent.headers["location"].endswith("/tutor/?task=x")
    assert "HttpOnly; SameSite=Strict" in sent.headers["set-cookie"]
    assert browser.get("/tutor/").text == "''"


@pytest.mark.parametrize("brought", ["", "?key=", f"?key={KEY[:-1]}", "?key=%C3%A9"])
def test_without_the_key_nobody_gets_in(brought: str) -> None:
    browser = make_client(KEY)
    assert browser.get(f"/tutor/{brought}").status_code == 403
    assert browser.post(f"/tutor/{brought}", cookies={COOKIE: "x" * 43}).status_code == 403
    assert browser.post(f"/tutor/?key={KEY}").status_code == 403
    assert "Ouvrez" in browser.get("/tutor/", headers={"accept-language": "fr"}).text


def test_elsewhere_on_the_site_nobody_is_asked() -> None:
    assert make_client(KEY).get("/other").text == "None"


def test_without_a_key_each_browser_has_lessons_of_its_own_and_finds_them_again() -> None:
    one, other = make_client(""), make_client("")
    first = one.get("/tutor/").text
    assert first == one.get("/tutor/").text
    assert first != other.get("/tutor/").text
    assert one.cookies[COOKIE] not in first


@pytest.mark.parametrize("word", ["../../etc", "x", "a" * 44, "é" * 43])
def test_a_word_that_is_none_of_ours_is_replaced(word: str) -> None:
    sent = make_client("").get("/tutor/", headers={b"cookie": f"{COOKIE}={word}".encode()})
    assert "set-cookie" in sent.headers
    assert sent.text.startswith("'visitors/")


def test_the_key_is_kept_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "tutor" / ".key"
    key = open_key(path)
    assert open_key(path) == key
    assert path.stat().st_mode & 0o777 == 0o600
    path.write_text("spoilt")
    assert open_key(path) != key
