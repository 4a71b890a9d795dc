"""The tutor of a campus: people who signed in, each with lessons of their own in the database."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from app.campus.texts import read_consent
from app.store.lessons import StoredLesson, list_lessons
from app.store.privacy import PrivacyDesk
from app.tutoring.page.texts import load_tutor_texts
from tests.app.campus.running import RunningCampus, run_campus
from tests.app.tutoring.page.conftest import begin, read_editor, say, wait_for_turn, write
from tests.app.tutoring.page.scripted_tutor import ScriptedTutor

SAY = load_tutor_texts("en")


@pytest.fixture(scope="module")
def model() -> ScriptedTutor:
    return ScriptedTutor()


@pytest.fixture(scope="module")
def campus(tmp_path_factory: pytest.TempPathFactory, model: ScriptedTutor) -> Iterator[RunningCampus]:
    with run_campus(tmp_path_factory.mktemp("campus"), model=model, tutoring=True) as running:
        yield running


def open_as(browser: Any, campus: RunningCampus, account: str, path: str) -> Any:
    """A page as somebody sees it who agrees where they are asked."""
    context = browser.new_context(locale="en-US", extra_http_headers=campus.headers(account))
    context.set_default_timeout(60_000)
    page = context.new_page()
    page.goto(campus.address + path)
    if "/consent" in page.url:
        page.get_by_role("button", name="I agree").click()
    return page


def test_two_people_on_one_task_see_nothing_of_each_other(
    browser: Any, campus: RunningCampus, model: ScriptedTutor
) -> None:
    where = "/tutor/open/loan-desk"
    ada, bob = open_as(browser, campus, "ada", where), open_as(browser, campus, "bob", where)
    begin(ada)
    write(ada, "def adas(self):\n    pass\n")
    say(ada, "A secret of Ada.")
    ada.get_by_text("You said: A secret of Ada. Go on.").wait_for()
    wait_for_turn(ada)
    bob.reload()
    begin(bob)
    assert "adas" not in read_editor(bob)
    assert bob.get_by_text("A secret of Ada.").count() == 0
    assert "secret" not in str(model.prompts[-1])
    assert model.owners[-1] != model.owners[-2]
    for page in (ada, bob):
        page.context.close()


def test_the_chat_leads_to_the_tutor_and_my_data_counts_and_deletes_lessons(
    browser: Any, campus: RunningCampus
) -> None:
    page = open_as(browser, campus, "ada", "/c/mini/")
    page.get_by_role("link", name="Coding tutor").click()
    page.get_by_role("link", name="Filling in a template for letters").click()
    begin(page)
    page.get_by_role("link", name="My data").click()
    page.get_by_text("what you said to the coding tutor on").wait_for()
    page.get_by_role("button", name="Delete my conversations").click()
    page.goto(f"{campus.address}/tutor/open/letter-template")
    page.get_by_role("button", name=SAY["begin"], exact=True).wait_for()
    page.context.close()


def test_a_lesson_deleted_while_the_tutor_speaks_stays_deleted(
    browser: Any, campus: RunningCampus, model: ScriptedTutor
) -> None:
    page = open_as(browser, campus, "bob", "/tutor/open/chess-clock")
    begin(page)
    say(page, "SLOWLY please.")
    page.get_by_text("You said: SLOWLY please.").wait_for()
    person = model.owners[-1]
    PrivacyDesk(campus.database).delete_conversations(person)
    model.hold.set()
    page.get_by_text(SAY["refused"]["gone"]).wait_for()
    assert "chess-clock" not in list_lessons(campus.database, person, "en")
    page.context.close()


@pytest.mark.parametrize("path", ["/tutor/", "/tutor/tasks/en", "/tutor/en/", "/tutor/en/gradio_api/queue/join"])
def test_nobody_gets_in_without_a_sign_in_or_before_they_agreed(campus: RunningCampus, path: str) -> None:
    with httpx.Client(base_url=campus.address) as nobody:
        assert nobody.get(path).status_code == 401
        assert nobody.get(path, headers=campus.headers("sam")).status_code == 403
        sent = nobody.get(path, headers={**campus.headers("sam"), "accept": "text/html"})
        assert sent.headers["location"].startswith("/consent?next=")


def test_closed_there_is_no_tutor(tmp_path: Path) -> None:
    with run_campus(tmp_path) as campus, httpx.Client(base_url=campus.address) as client:
        client.headers.update(campus.headers("sam"))
        client.post("/consent", data={"version": read_consent().version})
        assert client.get("/tutor/").status_code == 404
        assert "/tutor/" not in client.get("/").text


def test_an_export_holds_lessons(campus: RunningCampus) -> None:
    shelf = StoredLesson(campus.database, "somebody", "loan-desk", "en")
    shelf.write_code("def theirs(): pass\n")
    assert "def theirs()" in json.dumps(PrivacyDesk(campus.database).export("somebody"))
    PrivacyDesk(campus.database).erase("somebody")
    assert shelf.read_code() == ""
    assert shelf.load() is None
