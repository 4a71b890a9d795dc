"""A participant in a real browser, with the keyboard where that is natural. Skipped where there is no Chromium."""

from pathlib import Path
from typing import Any

import pytest

from tests.app.study.people import CRITERIA

pytestmark = pytest.mark.parametrize("database", ["sqlite"], indirect=True)


@pytest.mark.timeout(400)
def test_a_participant_clicks_through_the_study(browser: Any, address: str, codes: list[str], tmp_path: Path) -> None:
    context = browser.new_context(locale="en-GB", viewport={"width": 1280, "height": 900})
    context.set_default_timeout(60_000)
    elsewhere: list[str] = []
    context.on("request", lambda request: elsewhere.append(request.url) if address not in request.url else None)
    page = context.new_page()
    page.goto(f"{address}/?code={codes[0]}")
    page.get_by_role("button", name="Go on").click()
    page.get_by_role("button", name="I agree and begin").click()
    for number, letter in enumerate("ABC"):
        page.get_by_role("heading", name=f"Conversation {letter} ({number + 1} of 3)").wait_for()
        for question in range(3):
            page.get_by_label("Your question").fill(f"Question {question} about it?")
            page.get_by_role("button", name="Ask", exact=True).click()
            page.get_by_text(f"You asked: Question {question} about it? It is called Middle.").wait_for()
        if letter == "B":
            page.reload()
            page.screenshot(path=tmp_path / "ask.png", full_page=True)
        page.get_by_role("button", name="End this conversation and rate it").click()
        page.get_by_role("heading", name=f"Rate conversation {letter}").wait_for()
        for id in CRITERIA:
            page.locator(f'input[name="{id}"][value="{number + 3}"]').check()
        if letter == "A":
            page.screenshot(path=tmp_path / "rate.png", full_page=True)
        page.get_by_role("button", name="Save my ratings").click()
    page.get_by_role("heading", name="Which conversation did you like best?").wait_for()
    beside = [page.locator(f"#conversation-{letter}").bounding_box() for letter in "ABC"]
    assert len({round(box["y"]) for box in beside}) == 1
    assert beside[0]["x"] < beside[1]["x"] < beside[2]["x"]
    page.get_by_label("I prefer conversation B").check()
    page.get_by_label("Why?").fill("It was short and clear.")
    page.screenshot(path=tmp_path / "choose.png", full_page=True)
    page.set_viewport_size({"width": 380, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 380
    page.get_by_role("button", name="Send and finish").click()
    page.get_by_role("heading", name="Thank you!").wait_for()
    assert elsewhere == []
    assert all((tmp_path / f"{name}.png").stat().st_size > 10_000 for name in ("ask", "rate", "choose"))
    context.close()
