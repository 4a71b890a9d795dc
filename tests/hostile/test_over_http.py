"""Whatever is sent to the page, whoever sends it: nothing of another comes back, and nothing breaks."""

import json
import logging
from collections.abc import Iterator

import pytest

from app.store.conversations import ConversationStore
from tests.hostile.asking import SPLIT
from tests.hostile.campus import API, OpenCampus, open_hostile_campus, write_json
from tests.hostile.corpus import Attack, choose
from tests.hostile.world import COMMENT, SAID, find_leaks

FORGED = (["s002", "nr", "s002"], ["nr", "s002"], ["s002"], [], [1], ["nr", None, "so", 1, 1, 1, 1, 1])
"""Values of an event, as many as one of the page's may have."""
ASKED_AT_ONCE = 6
"""Attacks in one conversation: the next one has them among its earlier turns."""


@pytest.fixture(scope="module")
def campus(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OpenCampus]:
    with open_hostile_campus(tmp_path_factory.mktemp("campus")) as opened:
        yield opened


def test_the_victim_finds_what_is_to_be_stolen(campus: OpenCampus) -> None:
    status, text = campus.send("vic", "GET", "/mine/download")
    assert status == 200
    assert set(find_leaks(text)) == {"said", "comment", "report"}


def test_no_request_gets_anything_of_another_or_breaks_the_page(
    campus: OpenCampus, caplog: pytest.LogCaptureFixture
) -> None:
    wrong: dict[str, object] = {}
    with caplog.at_level(logging.ERROR):
        for attack in choose("http"):
            campus.agree("mal", "vic")
            status, text = send(campus, attack)
            if (found := find_leaks(text)) or status >= 500:
                wrong[attack.id] = (status, found, attack.request)
    assert not wrong
    assert not [each for each in caplog.records if each.exc_info]


def test_every_event_of_the_page_with_the_victims_names_gives_nothing(campus: OpenCampus) -> None:
    campus.agree("mal")
    tried = 0
    for function in campus.inputs:
        for values in FORGED:
            event = {"data": values, "fn_index": function, "session_hash": campus.known["s"], "event_data": None}
            thumb = {"event_data": {"index": 1, "value": "", "liked": True}}
            for name, told in (("queue/join", event), ("queue/join", event | thumb), ("run/predict", event | thumb)):
                status, text = campus.send("mal", "POST", f"{API}/{name}", *write_json(told))
                assert status < 500 and not find_leaks(text), (function, values, name)
                tried += 1
    text = campus.send("mal", "GET", f"{API}/queue/data?session_hash={campus.known['s']}")[1]
    assert not find_leaks(text)
    assert tried >= 100


def test_a_stolen_session_name_gives_no_stream_and_cancels_nothing(campus: OpenCampus) -> None:
    campus.agree("mal", "vic")
    session, event = "stolen-session", {"data": [f"Why {SAID}?", "nr", None], "fn_index": campus.submit}
    joined, text = campus.send("vic", "POST", f"{API}/queue/join", *write_json(event | {"session_hash": session}))
    assert joined == 200
    named = json.loads(text.partition("\n\n")[2])["event_id"]
    cancel = {"fn_index": campus.submit, "event_id": named}
    stream = f"{API}/queue/data?session_hash={session}"
    for method, target, told in (
        ("GET", stream, None),
        ("GET", f"{stream}&session_hash=mine", None),
        ("GET", f"{API}/heartbeat/{session}", None),
        ("POST", f"{API}/cancel", cancel | {"session_hash": session}),
        ("POST", f"{API}/cancel", cancel | {"session_hash": "mine"}),
        ("POST", f"{API}/queue/join", event | {"session_hash": session}),
        ("POST", f"{API}/run/predict", event | {"session_hash": session}),
    ):
        headers, body = write_json(told) if told is not None else ([], None)
        status, text = campus.send("mal", method, target, headers, body)
        assert (status, find_leaks(text)) == (404, []), (method, target, told)
    read = campus.send("vic", "GET", stream, until="process_completed")[1]
    assert SAID in read and "process_completed" in read


def test_a_stream_of_a_session_that_nobody_has_is_refused_in_words(campus: OpenCampus) -> None:
    campus.agree("mal")
    for named in ("?session_hash=nothing", "?session_hash=", "", "?session_hash=../x"):
        status, text = campus.send("mal", "GET", f"{API}/queue/data{named}")
        assert status == 404 and text.endswith("no such session of yours")


def test_an_unknown_event_is_refused_in_words(campus: OpenCampus) -> None:
    campus.agree("mal")
    for index in (-1, 9999, 10**20, "0", None, True, 1.5, [0], {}):
        event = {"data": ["Why?", "nr", None], "fn_index": index, "session_hash": "abc"}
        for name in ("queue/join", "run/predict"):
            status, text = campus.send("mal", "POST", f"{API}/{name}", *write_json(event))
            assert status == 400 and text.endswith(("such event", "event of a page")), index


def test_asked_on_the_page_a_model_that_obeys_has_nothing_of_another(campus: OpenCampus) -> None:
    campus.agree("mal")
    store, person = ConversationStore(campus.campus.database), campus.person("mal")
    for number, attack in enumerate(choose("question", "history")[::4]):
        if number % ASKED_AT_ONCE == 0:
            store.begin(person, "mini", "s001", "nr")
        for part in attack.text.split(SPLIT):
            campus.model.voice.obey(attack)
            shown = campus.ask("mal", part, f"session-{number}")
            assert not find_leaks(shown + campus.model.voice.heard), attack.id
            assert "process_completed" in shown, attack.id
    assert {each.student for each in store.all_of(person)} == {"s001"}
    assert not find_leaks(repr(store.all_of(person)))
    assert not find_leaks(campus.send("mal", "GET", "/mine/download")[1])


def test_after_all_this_the_victims_conversation_is_as_it_was(campus: OpenCampus) -> None:
    kept = ConversationStore(campus.campus.database).all_of(campus.person("vic"))
    assert campus.known["c"] in {each.id for each in kept}
    assert COMMENT in campus.send("vic", "GET", "/mine/download")[1]


def send(campus: OpenCampus, attack: Attack) -> tuple[int, str]:
    """Send what an attack says."""
    request = json.loads(campus.fill(json.dumps(attack.request)))
    headers = [(name, value) for name, value in request.get("headers", [])]
    body = None
    if "json" in request:
        more, body = write_json(request["json"])
        headers += more
    elif "data" in request:
        headers.append(("content-type", "application/x-www-form-urlencoded"))
        body = "&".join(f"{name}={value}" for name, value in request["data"].items()).encode()
    return campus.send(request["as"], request["method"], request["url"], headers, body)
