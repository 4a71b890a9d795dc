"""The tutor's page on loopback, alone, with a scripted model."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from app.tutoring.opening import TutorOpener
from app.tutoring.page.desk import TutoringDesk, read_tasks
from app.tutoring.page.hosts import FileHost
from app.tutoring.page.site import build_alone
from app.tutoring.page.texts import load_tutor_texts
from tests.app.campus.running import run_application
from tests.app.tutoring.page.scripted_tutor import ScriptedTutor

KEY = "k" * 43
TASK = "final-grade"
LOCALES = {"en": "en-US", "fr": "fr-CH"}
Open = Callable[..., Any]
PASTE = """(content, code) => {
    const view = content.cmTile.view;
    view.dispatch({changes: {from: 0, to: view.state.doc.length, insert: code}, userEvent: "input.paste"});
}"""


@pytest.fixture(scope="module")
def model() -> ScriptedTutor:
    return ScriptedTutor()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the lessons are kept."""
    return tmp_path_factory.mktemp("lessons")


@pytest.fixture(scope="module")
def address(model: ScriptedTutor, folder: Path) -> Iterator[str]:
    desk = TutoringDesk(read_tasks(), FileHost(folder), TutorOpener(model))
    with run_application(build_alone(desk, "")) as where:
        yield where


@pytest.fixture
def visit(browser: Any, address: str) -> Iterator[Open]:
    """Opens the page of a task as somebody new, and waits until it is drawn."""
    contexts = []

    def open_page(task: str, language: str = "en", size: tuple[int, int] = (1280, 900)) -> Any:
        context = browser.new_context(
            locale=LOCALES[language],
            viewport={"width": size[0], "height": size[1]},
            reduced_motion="reduce",
        )
        context.set_default_timeout(60_000)  # for machines that are busy with other things
        contexts.append(context)
        page = context.new_page()
        page.goto(f"{address}/tutor/open/{task}")
        page.locator("#about h2").wait_for()
        return page

    yield open_page
    for each in contexts:
        each.close()


def press(page: Any, word: str, language: str = "en") -> None:
    """Press the button that the page's texts call so."""
    page.get_by_role("button", name=load_tutor_texts(language)[word], exact=True).click()


def begin(page: Any, language: str = "en") -> None:
    """Let the tutor greet."""
    press(page, "begin", language)
    page.get_by_text("Hello! What is asked for here?").wait_for()
    wait_for_turn(page, language)


def say(page: Any, text: str, language: str = "en") -> None:
    page.get_by_role("textbox", name=load_tutor_texts(language)["message"], exact=True).fill(text)
    page.keyboard.press("Enter")


def wait_for_turn(page: Any, language: str = "en") -> None:
    """Wait until the student is next."""
    page.get_by_role("button", name=load_tutor_texts(language)["send"], exact=True).wait_for()


def write(page: Any, code: str) -> None:
    """Put this code into the editor at once, as pasting does, and wait until it was kept or refused."""
    page.locator("#editor .cm-content").evaluate(PASTE, code)
    page.locator("#saved p").wait_for()


def read_editor(page: Any) -> str:
    """What stands in the editor."""
    return "\n".join(page.locator("#editor .cm-line").all_inner_texts()).replace("\u200b", "")
