"""The pictures in GUIDE.md; SCRIBE_PICTURES=app/web/pictures takes them anew. Skipped without a Chromium."""

import os
from pathlib import Path
from typing import Any

from data import bundle
from tests.app.campus.running import run_campus
from tests.app.told import call, final
from tests.scribe.scripted import ScriptedBackend

ANSWERS = {
    "en": "Week 6 is about sampling and interpolation. It builds on linear filters.",
    "fr": "La semaine 6 parle de sampling and interpolation.",
}
VIEWS = {"en": (1280, 860, "What is week 6 about?"), "fr": (390, 780, "De quoi parle la semaine 6 ?")}


def test_the_pictures_show_the_page_with_an_answer(browser: Any, tmp_path: Path) -> None:
    folder = Path(os.environ.get("SCRIBE_PICTURES") or tmp_path)
    turns = [turn for answer in ANSWERS.values() for turn in (call("map_week_to_topic", week=6), final(answer))]
    people = {"en": "s033,student", "fr": "s033,student"}
    with run_campus(tmp_path, people, bundle.find("dsp"), ScriptedBackend(turns)) as campus:
        for language, (width, height, question) in VIEWS.items():
            context = browser.new_context(
                locale={"en": "en-US", "fr": "fr-CH"}[language],
                viewport={"width": width, "height": height},
                extra_http_headers=campus.headers(language),
            )
            context.set_default_timeout(60_000)
            page = context.new_page()
            page.goto(f"{campus.address}/c/dsp/")
            page.locator("main form button").first.click()
            page.locator("#send").wait_for()
            page.locator("#question textarea").fill(question)
            page.keyboard.press("Enter")
            page.locator("#conversation").get_by_text(ANSWERS[language][:20]).wait_for()
            page.locator("#send").wait_for()
            if language == "fr":
                page.locator("#chat-side h2").scroll_into_view_if_needed()
                page.locator("#chat-side h2").evaluate("heading => heading.scrollIntoView()")
            page.screenshot(path=folder / f"campus-{language}.png")
            if language == "en":
                page.goto(f"{campus.address}/mine")
                page.set_viewport_size({"width": 900, "height": 560})
                page.screenshot(path=folder / "campus-mine.png")
            context.close()
    assert all((folder / f"campus-{name}.png").stat().st_size > 10_000 for name in ("en", "fr", "mine"))
