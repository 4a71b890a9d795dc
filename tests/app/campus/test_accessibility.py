"""What axe-core says of every page a person sees, in both languages, wide and narrow. Skipped without a Chromium."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from app.web import serving
from app.web.texts import load_page_texts
from data import bundle
from tests.app.campus.running import RunningCampus, run_application, run_campus
from tests.app.told import mini_courses
from tests.app.web.attentive import Attentive
from tools.assembly.assistant import assemble
from tools.assembly.settings import AssistantSettings

WIDE, NARROW = (1280, 900), (360, 740)
SERIOUS = ("serious", "critical")
LOCALES = {"en": "en-US", "fr": "fr-CH"}
Open = Callable[..., Any]

each_view = pytest.mark.parametrize(("language", "size"), [(lang, size) for lang in LOCALES for size in (WIDE, NARROW)])


@pytest.fixture(scope="module")
def campus(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningCampus]:
    people = {"sam": ",staff"} | dict.fromkeys(("ada", "ada-1280", "ada-360", "eve"), "s001,student")
    with run_campus(tmp_path_factory.mktemp("campus"), people) as running:
        yield running


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    from app.web.page import build_page

    settings = AssistantSettings()
    course = bundle.load(mini_courses(tmp_path_factory.mktemp("courses")) / "mini")
    assistant = assemble(settings, course, Attentive())
    pages = {language: build_page(assistant, None, language) for language in LOCALES}
    with run_application(serving.build_demo(pages)) as address:
        yield address


@pytest.fixture
def visit(browser: Any, campus: RunningCampus) -> Iterator[Open]:
    """Opens a page of ours as somebody, or as nobody, and waits until it is drawn."""
    contexts = []

    def open_page(path: str, account: str = "", language: str = "en", size: tuple[int, int] = WIDE) -> Any:
        context = browser.new_context(
            locale=LOCALES[language],
            viewport={"width": size[0], "height": size[1]},
            extra_http_headers=campus.headers(account) if account else {},
            reduced_motion="reduce",
        )
        context.set_default_timeout(60_000)
        contexts.append(context)
        page = context.new_page()
        page.goto(campus.address + path)
        return page

    yield open_page
    for each in contexts:
        each.close()


def find_faults(page: Any) -> list[str]:
    """Rule, weight and place of each violation that axe calls serious or critical."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    found = axe.run(page).response["violations"]
    return [
        f"{each['id']} ({each['impact']}): {node['target']} {node['html'][:120]}"
        for each in found
        if each["impact"] in SERIOUS
        for node in each["nodes"]
    ]


def is_wider_than_the_window(page: Any) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth > window.innerWidth"))


def agree(page: Any, language: str) -> None:
    page.get_by_role("button", name={"en": "I agree", "fr": "J'accepte"}[language]).click()


def ask(page: Any, language: str, question: str) -> None:
    say = load_page_texts(language)
    page.get_by_role("button", name=say["send"], exact=True).wait_for()
    page.get_by_role("textbox", name=say["question"], exact=True).fill(question)
    page.keyboard.press("Enter")
    page.get_by_text(f"You asked: {question} It is called Middle.").wait_for()
    page.get_by_role("button", name=say["send"], exact=True).wait_for()


@each_view
@pytest.mark.parametrize(
    ("path", "account"),
    [("/sign-in", ""), ("/consent", "ada"), ("/mine", "ada"), ("/", "sam"), ("/staff/mini", "sam")],
)
def test_the_plain_pages(visit: Open, path: str, account: str, language: str, size: tuple[int, int]) -> None:
    page = visit(path, account, language, size)
    assert page.get_by_role("heading", level=1).count() == 1
    assert page.locator("html").get_attribute("lang") == language
    assert not is_wider_than_the_window(page)
    assert find_faults(page) == []


@each_view
def test_the_chat_before_and_after_an_answer(visit: Open, language: str, size: tuple[int, int]) -> None:
    page = visit("/c/mini/", "ada", language, size)
    if "/consent" in page.url:
        agree(page, language)
    page.get_by_text("Your sessions were few.").wait_for()
    assert page.locator("html").get_attribute("lang") == language
    assert find_faults(page) == []
    ask(page, language, f"What is week 2, {language} {size[0]}?")
    page.locator("#conversation [role=button][aria-expanded]").last.click()
    page.get_by_text("title: Middle").last.wait_for()
    page.get_by_text(load_page_texts(language)["rate"]).click()
    assert not is_wider_than_the_window(page)
    assert find_faults(page) == []


@each_view
def test_the_page_of_the_demo(browser: Any, demo: str, language: str, size: tuple[int, int]) -> None:
    context = browser.new_context(viewport={"width": size[0], "height": size[1]}, reduced_motion="reduce")
    context.set_default_timeout(60_000)
    page = context.new_page()
    page.goto(f"{demo}/{language}/")
    page.get_by_text("Your sessions were few.").wait_for()
    assert find_faults(page) == []
    ask(page, language, "What is week 2?")
    assert not is_wider_than_the_window(page)
    assert find_faults(page) == []
    context.close()


@pytest.mark.parametrize("size", [WIDE, NARROW])
def test_from_loading_to_an_answer_and_its_step_by_the_keyboard_alone(visit: Open, size: tuple[int, int]) -> None:
    page = visit("/consent?next=/c/mini/", f"ada-{size[0]}", "en", size)
    press_until(page, "Tab", "I agree")
    page.keyboard.press("Enter")
    page.get_by_text("Your sessions were few.").wait_for()
    press_until(page, "Tab", "Go to the question box")
    page.keyboard.press("Enter")
    press_until(page, "Tab", "Your question")
    page.keyboard.type("What is week 2?")
    page.keyboard.press("Enter")
    page.get_by_text("You asked: What is week 2? It is called Middle.").wait_for()
    page.get_by_role("button", name="Send", exact=True).wait_for()
    press_until(page, "Shift+Tab", "Looking up week 2 in the course plan")
    step = page.get_by_role("button", name="Looking up week 2 in the course plan")
    assert step.get_attribute("aria-expanded") == "false"
    page.keyboard.press("Enter")
    page.get_by_text("title: Middle").wait_for()
    assert step.get_attribute("aria-expanded") == "true"


def test_a_screen_reader_is_told_of_an_answer_as_it_comes(visit: Open) -> None:
    page = visit("/c/mini/", "eve")
    agree(page, "en")
    ask(page, "en", "What is week 2?")
    region = page.locator("[aria-live=polite]").filter(has_text="You asked: What is week 2? It is called Middle.")
    assert region.count() == 1
    assert region.get_attribute("aria-label")


def press_until(page: Any, key: str, name: str) -> None:
    """Press a key until what has this name has the focus; all that has it on the way must show it."""
    for _ in range(60):
        page.keyboard.press(key)
        label, shown = page.evaluate(FOCUS)
        assert shown, f"the focus on {label!r} cannot be seen"
        if label.startswith(name):
            return
    raise AssertionError(f"no way by {key} to {name!r}")


FOCUS = """() => {
    const at = document.activeElement, style = getComputedStyle(at);
    const label = at.labels?.[0]?.innerText || at.getAttribute("aria-label") || at.innerText || "";
    const outlined = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0;
    return [label.trim(), at === document.body || outlined];
}"""
