"""What others than our own page may send to it: hostile events, and the many paths of Gradio."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

import pytest
from starlette.routing import Mount
from starlette.testclient import TestClient

from app.web import serving
from app.web.page_guard import LARGEST_EVENT, find_fault
from data import bundle
from tests.app.told import mini_courses
from tests.app.web.attentive import Attentive
from tools.assembly.assistant import assemble
from tools.assembly.settings import AssistantSettings

API = "/en/gradio_api/"
NEEDED = {"queue/join", "queue/data", "heartbeat/x", "reset", "cancel", "startup-events", "info", "app_id", "user"}


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Any:
    from app.web.page import build_page

    folder = mini_courses(tmp_path_factory.mktemp("courses"))
    settings = AssistantSettings().with_changes("courses", folder=str(folder), course="mini")
    return build_page(assemble(settings, bundle.load(folder / "mini"), Attentive()))


@pytest.fixture(scope="module")
def application(page: Any) -> Any:
    return serving.build_demo({"en": page})


@pytest.fixture
def client(application: Any) -> Iterator[TestClient]:
    yield TestClient(application, base_url="http://127.0.0.1", raise_server_exceptions=False)


def event(page: Any, name: str = "submit", **changes: Any) -> dict[str, Any]:
    """What a browser sends when a question is asked."""
    function = next(id for id, each in page.fns.items() if any(told == name for _, told in each.targets))
    return {"data": ["Why?", "nr", "s001"], "fn_index": function, "session_hash": "abc", **changes}


def test_what_a_browser_sends_passes(page: Any) -> None:
    assert find_fault(page, json.dumps(event(page, event_data=None)).encode()) == ""
    assert find_fault(page, json.dumps(event(page, event_data={})).encode()) == ""


@pytest.mark.parametrize(
    "changes",
    [
        {"fn_index": 9999},
        {"fn_index": -1},
        {"fn_index": "0"},
        {"fn_index": None},
        {"fn_index": True},
        {"data": None},
        {"data": []},
        {"data": {"0": "Why?"}},
        {"data": ["Why?", "nr"]},
        {"data": ["Why?", "nr", "s001", "more"]},
        {"data": [{"path": "/etc/passwd", "meta": {"_type": "gradio.FileData"}}, "nr", "s001"]},
        {"data": [["Why?"], "nr", "s001"]},
        {"data": [7, "nr", "s001"]},
        {"data": ["Why?", "xx", "s001"]},
        {"data": ["Why?", ["nr"], "s001"]},
        {"data": ["Why?", "nr", "s999"]},
        {"data": ["Why?", "nr", {"id": "s001"}]},
        {"session_hash": None},
        {"session_hash": 7},
        {"session_hash": "../../etc"},
        {"session_hash": "a" * 65},
        {"event_data": "text"},
        {"event_data": [1]},
    ],
)
@pytest.mark.parametrize("path", ["queue/join", "run/predict"])
def test_an_event_that_cannot_be_is_refused_in_words_and_leaves_no_traces(
    client: TestClient, page: Any, changes: dict[str, Any], path: str, capfd: pytest.CaptureFixture[str]
) -> None:
    answer = client.post(API + path, json=event(page, **changes))
    assert answer.status_code == 400
    assert answer.text.startswith("th") and len(answer.text) < 60
    assert "Traceback" not in "".join(capfd.readouterr())


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"7", b"\xff\xfe", b"[" * 50_000, b'{"data": NaN'])
def test_what_is_no_event_at_all_is_refused(client: TestClient, body: bytes) -> None:
    answer = client.post(f"{API}queue/join", content=body, headers={"content-type": "application/json"})
    assert answer.status_code == 400


def test_a_question_of_a_hundred_megabytes_does_not_enter_the_queue(client: TestClient, page: Any) -> None:
    question = "a" * (LARGEST_EVENT + 1)
    assert client.post(f"{API}queue/join", json=event(page, data=[question, "nr", "s001"])).status_code == 413

    pieces = (b"a" * 60_000 for _ in range(4))  # whose length no header tells
    sent = client.post(f"{API}queue/join", content=pieces, headers={"content-type": "application/json"})
    assert sent.status_code == 413


def test_the_event_of_a_thumb_needs_to_say_which_answer_it_is_about() -> None:
    class ScriptedThumb:
        inputs: tuple[Any, ...] = ()
        targets = ((1, "like"),)

    class ScriptedPage:
        fns: ClassVar = {0: ScriptedThumb()}

    def fault(told: Any) -> str:
        sent = {"data": [], "fn_index": 0, "session_hash": "a", "event_data": told}
        return find_fault(ScriptedPage(), json.dumps(sent).encode())

    assert fault({"index": 1, "value": ["text"], "liked": True}) == ""
    for told in (None, {}, {"index": "1", "value": ""}, {"index": 1}, [1], "text"):
        assert fault(told) == "the page cannot have such an event"


def test_of_gradios_many_paths_only_those_that_the_page_needs_are_open(application: Any, client: TestClient) -> None:
    (mounted,) = (route.app for route in application.routes if isinstance(route, Mount) and route.path == "/en")
    included = [route.original_router.routes for route in mounted.routes if hasattr(route, "original_router")]
    own = [route for route in mounted.routes if getattr(route, "path", "").startswith("/gradio_api/")]
    names = {route.path.removeprefix("/gradio_api").strip("/") for routes in (own, *included) for route in routes}
    shut = {name for name in names if not name.startswith(("run/", "heartbeat/", "theme.css"))} - NEEDED - {""}
    assert {"deep_link", "upload", "stream/{event_id}", "file={path_or_url:path}", "call/{api_name}"} <= shut
    for name in shut:
        path = API + name.replace("{", "").replace("}", "").replace(":path", "")
        for method in ("GET", "POST"):
            assert client.request(method, path).text == "there is no such path", path


def test_a_conversation_is_not_written_to_a_file_for_a_link(
    client: TestClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRADIO_TEMP_DIR", str(tmp_path))
    for path in ("deep_link", "deep_link/", "/deep_link", "queue/../deep_link", "%64eep_link"):
        assert client.get(f"{API}{path}", params={"session_hash": "abc"}).status_code == 404
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example", "10.0.0.1"])
def test_another_sites_name_that_leads_here_is_refused_and_not_reflected(client: TestClient, host: str) -> None:
    for path in ("/", "/en/", "/en/config", f"{API}info"):
        answer = client.get(path, headers={"host": host, "origin": f"http://{host}"}, follow_redirects=False)
        assert answer.status_code == 400
        assert "access-control-allow-origin" not in answer.headers
