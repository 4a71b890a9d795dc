import dataclasses

import pytest
from starlette.testclient import TestClient

from app.campus.application import Campus, build_application
from app.campus.staff import StaffPages
from app.store.audit import AuditLog
from app.store.conversations import ConversationStore
from app.store.figures import FEWEST, StaffDesk
from tests.app.campus.conftest import PROOF, Client
from tests.app.store.test_conversations import make_record


def fill(campus: Campus, people: int) -> ConversationStore:
    store = ConversationStore(campus.database)
    for number in range(people):
        begun = store.begin(f"p{number}", "dsp", "s001", "nr")
        answer = None if number == 0 else "Because."
        store.add(f"p{number}", begun, make_record(f"t{number}", f"question {number}", answer), 1.0 + number)
        store.rate(f"p{number}", f"t{number}", thumb=1 if number % 2 else -1)
    return store


def test_figures_count_what_happened(campus: Campus) -> None:
    fill(campus, FEWEST)
    found = StaffDesk(campus.database).figures("dsp")
    assert (found.questions, found.people, found.up, found.down) == (5, 5, 2, 3)
    assert (found.unresolved, found.failed_calls, found.seconds) == (0.2, 1.0, (3.0, 4.0))
    assert found.topics == (("map_week_to_topic", "5", 5),)
    assert sum(count for _, count in found.by_day) == 5
    assert StaffDesk(campus.database).figures("geo").questions == 0


def test_of_few_people_only_the_number_is_told(campus: Campus, client: Client) -> None:
    fill(campus, FEWEST - 1)
    page = client("sam").get("/staff/dsp").text
    assert "4 questions of 4 students" in page
    assert "Fewer than five" in page
    assert "Because" not in page


@pytest.mark.parametrize("path", ["/staff/dsp", "/staff/geo", "/staff/dsp/conversations", "/staff/dsp/conversations/x"])
def test_students_and_staff_of_other_courses_see_nothing(client: Client, path: str) -> None:
    assert client("ada").get(path).status_code == 404
    assert client().get(path).status_code == 303
    if path != "/staff/dsp":
        assert client("sam").get(path).status_code == 404


@pytest.fixture
def reading(campus: Campus) -> Campus:
    """A campus whose policy lets staff read transcripts."""
    return dataclasses.replace(campus, staff=StaffPages(campus.database, may_read=True))


def test_each_look_at_a_transcript_is_recorded(reading: Campus) -> None:

    store = fill(reading, 1)
    made = build_application(reading, {})
    headers = {"accept": "text/html", "x-remote-user": "sam", "x-scribe-proof": PROOF}
    sam = TestClient(made, base_url="http://scribe.example", headers=headers, client=("10.1.1.1", 1))
    conversation = store.all_of("p0")[0].id
    assert conversation in sam.get("/staff/dsp/conversations").text
    page = sam.get(f"/staff/dsp/conversations/{conversation}").text
    assert "question 0" in page
    assert "p0" not in page
    looked = AuditLog(reading.database).entries()[0]
    assert (looked.action, looked.subject) == ("read transcript", "p0")
    assert sam.get("/staff/dsp/conversations/none").status_code == 404
