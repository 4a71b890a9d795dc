"""The page on which people compare dialogues, in a real browser, two people at once. Skipped without Chromium."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from app.web import serving
from eval.agreement.marking import read_marks
from eval.tutoring.pairs.pair import DialoguePair, PairLabel, PairTurn, load_criteria

PAIRS = [
    DialoguePair(
        f"{number}f",
        "block",
        f"Task {number}",
        "Write it. ![x](http://other.test/x.png)",
        (PairTurn("tutor", f"first of {number} <b>bold</b>"), PairTurn("student", "Hm.")),
        (PairTurn("tutor", f"second of {number}"), PairTurn("student", "Oh.")),
    )
    for number in range(2)
]
SWAPPED, STRAIGHT = "ana", "cem"
"""Whose sides are turned over, and whose are not."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("labels")


@pytest.fixture(scope="module")
def address(folder: Path) -> Iterator[str]:
    from app.web.marking import build_marking_page
    from app.web.pairs import PairRoom

    room = PairRoom(PAIRS, load_criteria(), folder, (SWAPPED, STRAIGHT))
    port = serving.find_free_port("127.0.0.1", 17980)
    blocks = build_marking_page(room)
    serving.serve(blocks, "127.0.0.1", port, wait=False, looks="labelling")
    yield f"http://127.0.0.1:{port}"
    blocks.close()


def enter(browser: Any, address: str, person: str) -> Any:
    page = browser.new_page()
    page.set_default_timeout(120_000)
    page.goto(address)
    page.wait_for_selector("#person")
    page.get_by_label(person).check()
    page.wait_for_selector("#criterion h2")
    return page


def saved(page: Any, count: int) -> None:
    page.get_by_text(f"{count} of 6 labels saved").wait_for()


def labels(folder: Path, person: str) -> list[Any]:
    return [*read_marks(folder / f"{person}.jsonl", PairLabel)]


def test_names_are_chosen_whose_sides_differ() -> None:
    assert PAIRS[0].is_swapped(SWAPPED)
    assert not PAIRS[0].is_swapped(STRAIGHT)


def test_two_people_at_once_each_see_their_own_sides_and_lose_nothing(browser: Any, address: str, folder: Path) -> None:
    one, other = enter(browser, address, SWAPPED), enter(browser, address, STRAIGHT)
    assert "second of" in one.inner_text("section[aria-label='Dialogue A']")
    assert "first of" in other.inner_text("section[aria-label='Dialogue A']")
    assert "<b>bold</b>" in other.inner_text("#answer")
    for at, (mine, theirs) in enumerate((("1", "1"), ("2", "3"), ("3", "2")), start=1):
        one.keyboard.press(mine)
        other.keyboard.press(theirs)
        saved(one, at)
        saved(other, at)
    assert [label.value for label in labels(folder, SWAPPED)] == ["other", "one", "tie"]
    assert [label.value for label in labels(folder, STRAIGHT)] == ["one", "tie", "other"]
    assert [label.criterion for label in labels(folder, SWAPPED)] == ["proactivity", "adaptability", "coherence"]
    one.close()
    other.close()


def test_who_comes_again_goes_on_and_takes_the_last_back(browser: Any, address: str, folder: Path) -> None:
    page = enter(browser, address, STRAIGHT)
    saved(page, 3)
    page.get_by_role("button", name="Take the last one back").click()
    saved(page, 2)
    assert len(labels(folder, STRAIGHT)) == 2
    page.get_by_role("button", name="Neither").click()
    saved(page, 3)
    page.close()


def test_the_page_tells_no_names_and_asks_nobody_else(browser: Any, address: str) -> None:
    asked: list[str] = []
    page = browser.new_page()
    page.on("request", lambda request: asked.append(request.url))
    page.close()
    page = enter(browser, address, SWAPPED)
    content = page.content()
    assert not [name for name in ("0f", "1f") if f'"{name}"' in content or f">{name}<" in content]
    page.keyboard.press("r")
    page.get_by_text("![x](http://other.test/x.png)").wait_for()
    assert not [url for url in asked if "other.test" in url]
    page.close()
