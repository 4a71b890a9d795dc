"""The pictures of the tutor's page; SCRIBE_PICTURES=app/web/pictures takes them anew. Skipped without a Chromium."""

import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from app.tutoring.opening import TutorOpener
from app.tutoring.page.desk import TutoringDesk, read_tasks
from app.tutoring.page.hosts import FileHost
from app.tutoring.page.site import build_alone
from app.tutoring.page.texts import load_tutor_texts
from data.tasks.reading import find_task
from tests.app.campus.running import run_application
from tests.app.tutoring.page.conftest import KEY, LOCALES, press, say, wait_for_turn, write
from tests.scribe.scripted import ScriptedBackend
from tests.scribe.tutor.lesson import turn

TASK = "final-grade"
TALK = {
    "en": (
        "Hello! Say in your words which grades the result must leave out.",
        "Those that are None, and their weight.",
        "Yes, both. One test still fails: it gives a grade outside the scale. Which function brings it back?",
    ),
    "fr": (
        "Bonjour ! Dites avec vos mots quelles notes le résultat doit laisser de côté.",
        "Celles qui valent None, et leur poids.",
        "Oui, les deux. Un test échoue encore : il donne une note hors de l'échelle. Quelle fonction l'y ramène ?",
    ),
}
VIEWS = {"en": (1280, 960), "fr": (390, 844)}


@pytest.mark.skipif(shutil.which("bwrap") is None, reason="no bubblewrap: apt-get install bubblewrap")
def test_the_pictures_show_code_results_and_dialogue(browser: Any, tmp_path: Path) -> None:
    folder = Path(os.environ.get("SCRIBE_PICTURES") or tmp_path)
    turns = [turn(text) for first, _, second in TALK.values() for text in (first, second)]
    desk = TutoringDesk(read_tasks(), FileHost(tmp_path / "lessons"), TutorOpener(ScriptedBackend(turns)))
    with run_application(build_alone(desk, KEY)) as address:
        for language, (width, height) in VIEWS.items():
            context = browser.new_context(locale=LOCALES[language], viewport={"width": width, "height": height})
            context.set_default_timeout(60_000)
            page = context.new_page()
            page.goto(f"{address}/tutor/?key={KEY}")
            page.get_by_role("link", name=find_task(TASK).title_in(language)).click()  # type: ignore[arg-type]
            press(page, "begin", language)
            page.get_by_text(TALK[language][0]).wait_for()
            wait_for_turn(page, language)
            write(page, find_task(TASK).compose({"on-the-scale": 1}))
            press(page, "run", language)
            page.locator(".cases .failed").first.wait_for()
            say(page, TALK[language][1], language)
            page.get_by_text(TALK[language][2]).wait_for()
            wait_for_turn(page, language)
            if language == "fr":
                page.locator("#editor-head").evaluate("head => head.scrollIntoView()")
            page.screenshot(path=folder / f"tutor-{language}.png")
            assert load_tutor_texts(language)["values"] in page.locator("#results").inner_text()
            context.close()
    assert all((folder / f"tutor-{name}.png").stat().st_size > 10_000 for name in VIEWS)
