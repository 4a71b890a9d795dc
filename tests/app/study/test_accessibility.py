"""What axe-core says of every page of the study, in both languages, wide and narrow. Skipped without a Chromium."""

from typing import Any

import pytest

from tests.app.campus.test_accessibility import LOCALES, NARROW, WIDE, find_faults
from tests.app.study.people import CRITERIA

pytestmark = [pytest.mark.timeout(900), pytest.mark.parametrize("database", ["sqlite"], indirect=True)]


@pytest.mark.parametrize("language", LOCALES)
def test_no_page_of_the_study_keeps_anybody_out(browser: Any, address: str, codes: list[str], language: str) -> None:
    context = browser.new_context(locale=LOCALES[language], reduced_motion="reduce")
    context.set_default_timeout(60_000)
    page = context.new_page()
    faults: dict[str, list[str]] = {}

    def examine(name: str) -> None:
        assert page.locator("html").get_attribute("lang") == language
        for size in (WIDE, NARROW):
            page.set_viewport_size({"width": size[0], "height": size[1]})
            if found := find_faults(page):
                faults[f"{name}, {size[0]} wide"] = found

    def send(form: str) -> None:
        page.locator(f'form[action="{form}"] button').click()

    page.goto(address)
    examine("enter")
    page.locator("#code").fill("no such code")
    send("/enter")
    examine("enter, refused")
    page.locator("#code").fill(codes[0])
    send("/enter")
    examine("consent")
    send("/study/agree")
    for number in range(3):
        for question in range(3):
            page.locator("#question").fill(f"Question {question}?")
            send("/study/ask")
            page.get_by_text(f"You asked: Question {question}? It is called Middle.").wait_for()
        if number == 0:
            examine("ask")
        send("/study/end")
        for id in CRITERIA:
            page.locator(f'input[name="{id}"][value="4"]').check()
        if number == 0:
            examine("rate")
        send("/study/rate")
    page.locator('input[name="preferred"]').first.check()
    page.locator("#reason").fill("Clear.")
    examine("choose")
    send("/study/choose")
    page.wait_for_load_state()
    examine("done")
    page.goto(f"{address}/withdraw")
    examine("withdraw")
    context.close()
    assert faults == {}
