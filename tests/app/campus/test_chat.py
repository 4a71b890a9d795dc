"""The chat of people who signed in, in a real browser, with a scripted model. Skipped where there is no Chromium."""

import itertools
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import httpx
import pytest
import uvicorn

from app.campus.application import build_application, build_chats, open_campus
from app.campus.settings import CampusSettings, SiteSettings
from app.store.conversations import ConversationStore
from app.store.database import Database, open_database
from app.store.settings import LimitSettings
from app.web.line import AT_ONCE, WAITING, WaitingLine
from app.web.serving import find_free_port
from data import bundle
from tests.app.campus.conftest import PROOF
from tests.app.told import mini_courses
from tests.app.web.attentive import Attentive
from tools.assembly.assistant import assemble

Open = Callable[..., Any]


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    opened = open_database(str(tmp_path_factory.mktemp("store") / "scribe.db"))
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def address(database: Database, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    from app.accounts.settings import AccountSettings, HeaderSettings

    folder = tmp_path_factory.mktemp("campus")
    courses = mini_courses(folder)
    (courses / "mini" / "reports" / "s002.nr.md").write_text("Your sessions were many.\n")
    (folder / "roster.csv").write_text(
        "account,course,student,role\n" + "".join(f"{name},mini,s00{n},student\n" for name, n in PEOPLE.items())
    )
    (folder / "secret").write_text("s" * 40)
    (folder / "proof").write_text(PROOF)
    settings = CampusSettings(
        accounts=AccountSettings(("header",), str(folder / "roster.csv"), str(folder / "secret"), https=False),
        header=HeaderSettings(secret=str(folder / "proof")),
        site=SiteSettings(("127.0.0.1",)),
        limits=LimitSettings(per_minute=3),
    )
    course = bundle.load(courses / "mini")
    campus = open_campus(settings, [course], database)
    application = build_application(
        campus, build_chats(campus, {"mini": assemble(settings, course, Attentive())}, WaitingLine(AT_ONCE, WAITING))
    )
    port = find_free_port("127.0.0.1", 18300)
    config = uvicorn.Config(application, host="127.0.0.1", port=port, log_level="warning", timeout_graceful_shutdown=1)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.05)
    yield f"http://127.0.0.1:{port}"
    server.should_exit = True
    thread.join(timeout=20)


PEOPLE = {"ada": 1, "bob": 2, "cleo": 1, "dan": 1, "eve": 1, "fay": 1}


@pytest.fixture
def enter(browser: Any, address: str) -> Iterator[Open]:
    """Opens the page as somebody who agrees."""
    contexts = []

    def open_page(account: str, locale: str = "en-US") -> Any:
        headers = {"x-remote-user": account, "x-scribe-proof": PROOF}
        context = browser.new_context(locale=locale, extra_http_headers=headers)
        context.set_default_timeout(120_000)
        contexts.append(context)
        page = context.new_page()
        page.goto(address)
        if "/consent" in page.url:
            page.get_by_role("button", name="J'accepte" if locale[:2] == "fr" else "I agree").click()
        page.get_by_role("button", name="Envoyer" if locale[:2] == "fr" else "Send").wait_for()
        return page

    yield open_page
    for each in contexts:
        each.close()


def ask(page: Any, question: str, label: str = "Your question") -> None:
    page.get_by_role("textbox", name=label, exact=True).fill(question)
    page.keyboard.press("Enter")


def test_a_student_sees_their_own_report_and_finds_the_conversation_again(enter: Open) -> None:
    page = enter("ada")
    page.get_by_text("Your sessions were few.").wait_for()
    assert page.get_by_label("Demo student (simulated)").count() == 0
    ask(page, "First?")
    page.get_by_text("You asked: First? It is called Middle.").wait_for()
    page.get_by_role("button", name="Send").wait_for()
    page.reload()
    page.get_by_text("You asked: First? It is called Middle.").wait_for()
    page.get_by_text("Looking up week 2 in the course plan").wait_for()
    other = enter("bob")
    other.get_by_text("Your sessions were many.").wait_for()
    assert other.get_by_text("First?").count() == 0


def test_a_french_browser_gets_a_french_page(enter: Open) -> None:
    page = enter("cleo", "fr-CH")
    page.get_by_role("heading", name="Votre rapport de feedback").wait_for()
    ask(page, "Et la semaine 2 ?", "Votre question")
    page.get_by_text("You asked: Et la semaine 2 ?").wait_for()
    page.get_by_role("link", name="Mes données").click()
    page.get_by_role("heading", name="Mes données").wait_for()
    page.get_by_role("button", name="Effacer mes conversations").click()
    page.get_by_text("Vos conversations sont effacées.").wait_for()


def test_a_thumb_and_the_scales_are_kept(enter: Open, database: Database, address: str) -> None:
    page = enter("dan")
    ask(page, "Second?")
    page.get_by_text("You asked: Second? It is called Middle.").wait_for()
    page.get_by_role("button", name="Send").wait_for()
    page.get_by_role("button", name="Like", exact=True).first.click()
    page.get_by_text("What do you think of the last answer?").click()
    page.locator("#scale-relevant").get_by_label("4").check()
    page.get_by_label("Anything to add?").fill("so so")
    page.get_by_role("button", name="Save").click()
    page.get_by_text("Thank you, it is saved.").wait_for()
    page.goto(f"{address}/mine")
    with page.expect_download() as started:
        page.get_by_role("link", name="Download my conversations").click()
    told = Path(started.value.path()).read_text(encoding="utf-8")
    assert '"thumb": 1' in told
    assert '"relevant": 4' in told
    assert "so so" in told


def test_too_many_questions_are_told_when_to_come_back(enter: Open) -> None:
    page = enter("eve")
    for number in range(3):
        ask(page, f"Number {number}?")
        page.get_by_text(f"You asked: Number {number}? It is called Middle.").wait_for()
        page.get_by_role("button", name="Send").wait_for()
    ask(page, "One more?")
    page.get_by_text("You have asked many questions in a short time").wait_for()


def test_nothing_of_the_conversation_is_in_the_browsers_storage(enter: Open) -> None:
    page = enter("fay")
    ask(page, "A secret question?")
    page.get_by_text("You asked: A secret question?").wait_for()
    assert "secret" not in page.evaluate("JSON.stringify({...localStorage, ...sessionStorage})")


def test_a_stolen_session_name_and_forged_arguments_give_nothing_of_anothers(
    enter: Open, address: str, database: Database
) -> None:
    page = enter("ada")
    page.get_by_text("You asked: First? It is called Middle.").wait_for()
    base = f"{address}/c/mini/en/gradio_api"
    headers = {"x-remote-user": "bob", "x-scribe-proof": PROOF, "accept": "application/json"}
    with httpx.Client(headers=headers, timeout=30) as thief:
        told = thief.get(f"{address}/c/mini/en/config").json()
        parts = {part["id"]: part for part in told["components"]}
        accepted, thumb = dict.fromkeys(("own", "stolen"), 0), {"index": 1, "value": "", "liked": True}
        names = {"own": "of-a-thief", "stolen": page.evaluate("window.__gradio_session_hash__")}
        assert names["stolen"]
        for function, whose in itertools.product(told["dependencies"], names):
            stolen = names[whose]
            data = [forge(parts[id]) for id in function["inputs"]]
            sent = {"data": data, "fn_index": function["id"], "session_hash": stolen, "event_data": thumb}
            joined = thief.post(f"{base}/queue/join", json=sent)
            accepted[whose] += joined.status_code == 200
            said = [joined.text, thief.post(f"{base}/run/predict", json=sent).text]
            stream = thief.stream("GET", f"{base}/queue/data", params={"session_hash": stolen})
            with stream if joined.is_success else nullcontext(joined) as lines:
                for line in lines.iter_lines():
                    said.append(line)
                    if "process_completed" in line or "close_stream" in line:
                        break
            assert "First?" not in "".join(said)
            assert "sessions were few" not in "".join(said)
    assert accepted["own"] >= 8 and not accepted["stolen"]
    assert [each.student for each in ConversationStore(database).all_of(_person(database, "s001"))] == ["s001"]


def forge(part: dict[str, Any]) -> Any:
    """A value that this part of the page can have, of another student where it may."""
    choices = part["props"].get("choices")
    return choices[0][1] if choices else "s001"


def _person(database: Database, student: str) -> str:
    from sqlalchemy import select

    from app.store.schema import ConversationRow

    with database.transaction() as session:
        return session.scalars(select(ConversationRow.person).filter_by(student=student)).first() or ""
