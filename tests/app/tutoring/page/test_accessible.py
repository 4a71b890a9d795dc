"""What axe-core says of the tutor's pages in both languages, wide and narrow, and the way by the keyboard."""

from typing import Any

import pytest

from app.tutoring.page.texts import load_tutor_texts
from tests.app.campus.test_accessibility import find_faults, is_wider_than_the_window, press_until
from tests.app.tutoring.page.conftest import LOCALES, Open, begin, press, say, wait_for_turn, write

WIDE, NARROW = (1280, 900), (360, 740)
each_view = pytest.mark.parametrize(("language", "size"), [(lang, size) for lang in LOCALES for size in (WIDE, NARROW)])
CODE = "def total(self, codes):\n    return nothing\n"


@each_view
def test_the_page_before_and_after_tests_and_a_turn(visit: Open, language: str, size: tuple[int, int]) -> None:
    page = visit("basket-vouchers", language, size)
    assert page.locator("html").get_attribute("lang") == language
    assert page.get_by_role("heading", level=1).count() == 1
    begin(page, language)
    page.locator("#around-box button").first.click()
    page.locator("#around .cm-line").first.wait_for()
    write(page, CODE)
    press(page, "run", language)
    page.locator("#results li, #results details").first.wait_for()
    say(page, "`x = 1` is **wrong**?", language)
    page.get_by_text("Go on.").last.wait_for()
    wait_for_turn(page, language)
    assert not is_wider_than_the_window(page)
    assert find_faults(page) == []


@each_view
def test_the_list_of_tasks(visit: Open, language: str, size: tuple[int, int]) -> None:
    page = visit("basket-vouchers", language, size)
    page.get_by_role("link", name=load_tutor_texts(language)["all_tasks"]).click()
    page.get_by_role("heading", level=1).wait_for()
    assert page.locator("html").get_attribute("lang") == language
    assert not is_wider_than_the_window(page)
    assert find_faults(page) == []


def test_from_loading_to_an_answer_by_the_keyboard_alone(visit: Open) -> None:
    say_en = load_tutor_texts("en")
    page = visit("polynomial-product")
    press_until(page, "Tab", say_en["editor_label"])
    page.keyboard.press("Control+End")
    page.keyboard.type("# mine")
    page.keyboard.press("Escape")
    press_until(page, "Tab", say_en["run"])
    press_until(page, "Tab", say_en["begin"])
    page.keyboard.press("Enter")
    page.get_by_text("Hello! What is asked for here?").wait_for()
    wait_for_turn(page)
    press_until(page, "Tab", say_en["message"])
    page.keyboard.type("Where?")
    page.keyboard.press("Enter")
    page.get_by_text("You said: Where? Go on.").wait_for()


def test_a_screen_reader_is_told_of_turns_and_of_tests(visit: Open) -> None:
    page = visit("survey-statistics")
    begin(page)
    spoken = page.locator("[aria-live=polite]").filter(has_text="Hello! What is asked for here?")
    assert spoken.count() == 1
    assert spoken.get_attribute("aria-label")
    assert find_role(page, "#status") == "status"
    assert load_tutor_texts("en")["level_no"] in page.locator(".marks").inner_text()


def find_role(page: Any, place: str) -> str | None:
    role: str | None = page.locator(place).first.get_attribute("role")
    return role
