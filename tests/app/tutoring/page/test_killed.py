"""A page whose process is killed in the middle of a turn. Skipped where there is no Chromium."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from app.tutoring.page.texts import load_tutor_texts
from tests.app.tutoring.page.conftest import begin, press, read_editor, say, wait_for_turn, write

ROOT = Path(__file__).parents[4]
SAY = load_tutor_texts("en")


@contextmanager
def run_page(cache: Path) -> Iterator[tuple["subprocess.Popen[str]", str]]:
    """A process with the page of a task, and the address that it printed."""
    environment = {**os.environ, "SCRIBE_CACHE": str(cache), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "tests.app.tutoring.page.scripted_page", "loan-desk", "--page", "--port", "18760"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment, cwd=cache)
    assert process.stdout is not None
    printed = process.stdout.readline()
    found = re.search(r"http://\S+", printed)
    assert found, printed
    try:
        yield process, found[0]
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def test_no_more_than_the_turn_being_made_is_lost(browser: Any, tmp_path: Path) -> None:
    context = browser.new_context(locale="en-US")
    context.set_default_timeout(60_000)
    page = context.new_page()
    with run_page(tmp_path) as (process, address):
        open_page(page, address)
        begin(page)
        say(page, "First.")
        page.get_by_text("You said: First. Go on.").wait_for()
        wait_for_turn(page)
        write(page, "def lend(self):\n    return 7\n")
        say(page, "WAIT for it.")
        page.get_by_text(SAY["thinking"]).wait_for()
        process.kill()
    with run_page(tmp_path) as (process, address):
        open_page(page, address)
        for text in ("Hello! What is asked for here?", "You said: First. Go on.", "WAIT for it."):
            page.get_by_text(text).first.wait_for()
        assert read_editor(page) == "def lend(self):\n    return 7"
        press(page, "go_on")
        page.get_by_text(SAY["thinking"]).wait_for()
    context.close()


def open_page(page: Any, address: str) -> None:
    """The server listens a moment after it has said where."""
    for _ in range(100):
        try:
            page.goto(address)
            break
        except Exception as error:  # Chromium's words for a refused connection
            if "ERR_CONNECTION_REFUSED" not in str(error):
                raise
            page.wait_for_timeout(200)
    page.locator("#about h2").wait_for()
