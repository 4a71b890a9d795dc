"""The page in a real browser, with a scripted model. Skipped where there is no Chromium."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from app.web import serving
from data import bundle
from scribe.plumbing.errors import UsageError
from tests.app.told import mini_courses
from tests.app.web.attentive import Attentive
from tools.assembly.assistant import assemble
from tools.assembly.settings import AssistantSettings


@pytest.fixture(scope="module")
def model() -> Attentive:
    return Attentive()


@pytest.fixture(scope="module")
def address(model: Attentive, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    from app.web.page import build_page

    folder = mini_courses(tmp_path_factory.mktemp("courses"))
    (folder / "mini" / "reports" / "s002.nr.md").write_text("Your sessions were many.\n")
    (folder / "mini" / "reports" / "s001.ac.md").write_text("What stood out: few sessions.\n")
    settings = AssistantSettings().with_changes("courses", folder=str(folder), course="mini")
    blocks = build_page(assemble(settings, bundle.load(folder / "mini"), model))
    port = serving.find_free_port("127.0.0.1", 17860)
    serving.serve(blocks, "127.0.0.1", port, wait=False)
    yield f"http://127.0.0.1:{port}"
    blocks.close()


@pytest.fixture
def opened(browser: Any, address: str) -> Iterator[Any]:
    context = browser.new_context()
    context.set_default_timeout(60_000)  # for machines that are busy with other things
    page = context.new_page()
    page.goto(address)
    page.get_by_role("button", name="Send").wait_for()
    yield page
    context.close()


def ask(page: Any, question: str) -> None:
    page.get_by_role("textbox", name="Your question").fill(question)
    page.keyboard.press("Enter")


def test_a_question_shows_its_step_and_its_answer_beside_the_report(opened: Any) -> None:
    assert opened.get_by_role("heading", level=1).inner_text() == "Scribe"
    opened.get_by_text("Your sessions were few.").wait_for()
    ask(opened, "What is week 2?")
    opened.get_by_text("You asked: What is week 2? It is called Middle.").wait_for()
    opened.get_by_text("Looking up week 2 in the course plan").click()
    opened.get_by_text("title: Middle").wait_for()


def test_a_follow_up_knows_the_conversation_and_another_student_does_not(opened: Any, model: Attentive) -> None:
    ask(opened, "First?")
    opened.get_by_text("You asked: First? It is called Middle.").wait_for()
    opened.get_by_role("button", name="Send").wait_for()
    ask(opened, "And what about that one?")
    opened.get_by_text("You asked: And what about that one? It is called Middle.").wait_for()
    assert "First?" in [message.content for message in model.prompts[-1]]
    opened.get_by_label("Demo student (simulated)").click()
    opened.get_by_role("option", name="s002").click()
    opened.get_by_text("Your sessions were many.").wait_for()
    opened.get_by_text("You asked: First?").wait_for(state="detached")
    ask(opened, "Third?")
    opened.get_by_text("You asked: Third? It is called Middle.").wait_for()
    said = "\n".join(message.content for message in model.prompts[-1])
    assert "Second?" not in said
    assert "sessions were few" not in said


def test_two_pages_do_not_mix(opened: Any, browser: Any, address: str, model: Attentive) -> None:
    other = browser.new_context().new_page()
    other.goto(address)
    ask(opened, "Mine?")
    opened.get_by_text("You asked: Mine? It is called Middle.").wait_for()
    ask(other, "Yours?")
    other.get_by_text("You asked: Yours? It is called Middle.").wait_for()
    assert "Mine?" not in [message.content for message in model.prompts[-1]]
    assert other.get_by_text("You asked: Mine?").count() == 0
    other.context.close()


def test_stop_ends_an_answer_and_the_next_question_works(opened: Any) -> None:
    ask(opened, "Wait for ever.")
    opened.get_by_role("button", name="Stop").click()
    opened.get_by_text("Stopped.").wait_for()
    ask(opened, "And now?")
    opened.get_by_text("You asked: And now? It is called Middle.").wait_for()


def test_an_empty_question_is_explained_and_another_report_can_be_read(opened: Any) -> None:
    ask(opened, " ?! ")
    opened.get_by_text("The question is empty").wait_for()
    opened.get_by_label("What stood out").check()
    opened.get_by_text("What stood out: few sessions.").wait_for()
    opened.get_by_label("What made the difference").check()
    opened.get_by_text("There is no report of this kind for you yet.").wait_for()


def test_the_page_asks_nobody_else_and_leaves_nothing_in_the_browser(browser: Any, address: str) -> None:
    context = browser.new_context()
    page = context.new_page()
    hosts: set[str] = set()
    page.on("request", lambda request: hosts.add(request.url.split("/")[2]))
    page.goto(address)
    ask(page, "A secret question?")
    page.get_by_text("You asked: A secret question? It is called Middle.").wait_for()
    assert hosts == {address.removeprefix("http://")}
    assert "secret" not in page.evaluate("JSON.stringify({...localStorage, ...sessionStorage})")
    unnamed = "[...document.querySelectorAll('button')].filter(b => !(b.ariaLabel || b.innerText).trim()).length"
    assert page.evaluate(unnamed) == 0
    context.close()


@pytest.mark.parametrize("name", ["ask", "show", "clear", "weighs"])
def test_nobody_gets_past_the_queue(address: str, name: str) -> None:
    sent = httpx.post(f"{address}/gradio_api/run/{name}", json={"data": ["Why?", "s001", "nr"]})
    assert sent.status_code == 404


def test_the_page_lists_no_endpoints(address: str) -> None:
    assert httpx.get(f"{address}/gradio_api/info").json()["named_endpoints"] == {}


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.0.5", "campus.example"])
def test_the_demo_listens_to_nobody_else(host: str) -> None:
    with pytest.raises(UsageError, match="does not listen"):
        serving.refuse_unless_loopback(host)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1", "[::1]"])
def test_the_demo_listens_to_this_machine(host: str) -> None:
    serving.refuse_unless_loopback(host)


def test_a_taken_port_gives_way_to_the_next(address: str) -> None:
    taken = int(address.rsplit(":", 1)[1])
    assert serving.find_free_port("127.0.0.1", taken) > taken
