"""The tutor's page in a real browser, with a scripted model. Skipped where there is no Chromium."""

import shutil
from pathlib import Path
from typing import Any

import httpx
import pytest

from app.tutoring.page.texts import load_tutor_texts
from data.tasks.reading import find_task
from tests.app.tutoring.page.conftest import TASK, Open, begin, press, read_editor, say, wait_for_turn, write
from tests.app.tutoring.page.scripted_tutor import ScriptedTutor

SAY = load_tutor_texts("en")
needs_bwrap = pytest.mark.skipif(shutil.which("bwrap") is None, reason="no bubblewrap: apt-get install bubblewrap")


def test_a_task_is_chosen_from_the_list_and_what_is_begun_is_marked(visit: Open) -> None:
    page = visit("word-ranking")
    begin(page)
    page.get_by_role("link", name=SAY["all_tasks"]).click()
    page.get_by_role("heading", name="Text and parsing").wait_for()
    assert page.get_by_role("listitem").count() == 41
    words = page.get_by_role("listitem").filter(has_text=find_task("word-ranking").title)
    assert SAY["begun"] in words.inner_text()
    assert page.get_by_text(SAY["begun"], exact=True).count() == 1
    page.get_by_role("link", name=find_task("loan-desk").title).click()
    page.get_by_role("heading", name=find_task("loan-desk").title).wait_for()


def test_the_page_speaks_the_browsers_language(visit: Open, model: ScriptedTutor) -> None:
    page = visit("word-ranking", "fr")
    assert page.get_by_role("heading", level=2).first.inner_text() == find_task("word-ranking").title_fr
    begin(page, "fr")
    assert "Speak French." in model.prompts[-1][0].content
    page.get_by_role("link", name="Tous les exercices").click()
    page.get_by_role("link", name="English").click()
    page.get_by_role("heading", name=SAY["choose"]).wait_for()


def test_the_program_around_is_there_to_read(visit: Open) -> None:
    page = visit(TASK)
    page.get_by_role("button", name=SAY["around"]).click()
    page.get_by_text("# gradebook/average.py").wait_for()
    assert page.locator("#around .cm-content").get_attribute("contenteditable") == "false"


@needs_bwrap
def test_tests_say_what_passes_what_was_expected_and_where_the_code_fails(visit: Open) -> None:
    task, page = find_task(TASK), visit(TASK)
    write(page, task.compose({"weighted-sum": 1}))
    press(page, "run")
    page.get_by_text("tests pass.").wait_for()
    passed, failed = page.locator(".cases .passed"), page.locator(".cases .failed")
    assert passed.count() + failed.count() == len(task.test_names)
    assert 0 < failed.count() < len(task.test_names)
    told = failed.first.inner_text()
    assert "final_grade(" in told
    assert SAY["values"] in told
    write(page, "def final_grade(grades, weights):\n    return grade\n")
    press(page, "run")
    page.get_by_text(SAY["same"]).wait_for()
    page.get_by_text("NameError: name 'grade' is not defined (line 2 of your code)").wait_for()
    write(page, task.reference)
    page.locator("#editor .cm-content").press("Control+Enter")
    page.get_by_text(SAY["all_passed"].format(all=len(task.test_names))).wait_for()


@needs_bwrap
def test_the_tutor_is_shown_code_and_results(visit: Open, model: ScriptedTutor) -> None:
    task, page = find_task("museum-group"), visit("museum-group")
    begin(page)
    press(page, "show_tutor")
    page.get_by_text(SAY["refused"]["empty"]).wait_for()
    code = task.compose({task.components[0].name: 1})
    write(page, code)
    press(page, "run")
    page.get_by_text("tests pass.").wait_for()
    press(page, "show_tutor")
    page.get_by_text(f"You said: {SAY['ran']} Go on.").wait_for()
    asked = model.prompts[-1][-1].content
    assert code.strip() in asked
    assert ": failed (" in asked
    page.get_by_text(SAY["with_results"]).wait_for()


def test_code_and_dialogue_are_found_again_after_a_reload(visit: Open, folder: Path) -> None:
    page = visit("loan-desk")
    begin(page)
    write(page, "def lend(self):\n    return 7\n")
    say(page, "Seven, *really*, for __init__?")
    page.get_by_text("Go on.").wait_for()
    wait_for_turn(page)
    page.reload()
    page.get_by_text("Seven, *really*, for __init__?", exact=False).first.wait_for()
    page.get_by_text(SAY["with_code"]).wait_for()
    assert read_editor(page) == "def lend(self):\n    return 7"
    assert page.locator(".marks li").count() == len(find_task("loan-desk").components)
    kept = [path for path in folder.rglob("loan-desk.en.*") if path.suffix in (".json", ".py")]
    assert [path.stat().st_mode & 0o777 for path in kept] == [0o600, 0o600]


@needs_bwrap
def test_results_are_found_again_and_said_to_be_of_earlier(visit: Open) -> None:
    page = visit("school-bell")
    press(page, "run")
    page.get_by_text("None of the").wait_for()
    count = page.locator(".cases li").count()
    page.reload()
    page.get_by_text(SAY["changed"]).wait_for()
    assert page.locator(".cases li").count() == count


def test_a_sentence_is_seen_before_the_next_is_written_and_stop_ends_a_turn(visit: Open, model: ScriptedTutor) -> None:
    page = visit("chess-clock")
    begin(page)
    say(page, "SLOWLY please.")
    page.get_by_text("You said: SLOWLY please.").wait_for()
    page.get_by_role("button", name=SAY["stop"]).wait_for()
    model.hold.set()
    page.get_by_text("Go on.").wait_for()
    wait_for_turn(page)
    model.hold.clear()
    say(page, "WAIT for ever.")
    page.get_by_text(SAY["thinking"]).wait_for()
    press(page, "stop")
    page.get_by_text(SAY["stopped"]).wait_for()
    page.get_by_text("WAIT for ever.").wait_for()
    page.get_by_role("button", name=SAY["go_on"], exact=True).wait_for()


def test_a_turn_that_was_left_is_made_later(visit: Open) -> None:
    page = visit("lift-route")
    begin(page)
    say(page, "WAIT for me.")
    page.get_by_text(SAY["thinking"]).wait_for()
    page.reload()
    page.get_by_text("WAIT for me.").wait_for()
    page.get_by_role("button", name=SAY["go_on"], exact=True).wait_for()


@pytest.mark.parametrize(("message", "sentence"), [("FAIL now.", "no_model"), ("SILENCE now.", "speechless")])
def test_a_model_that_fails_or_has_no_words_is_told(visit: Open, message: str, sentence: str) -> None:
    page = visit({"no_model": "pill-schedule", "speechless": "puzzle-turn"}[sentence])
    begin(page)
    say(page, message)
    page.get_by_text(SAY[sentence]).wait_for()
    page.reload()
    page.get_by_text(message).wait_for()
    again = "go_on" if sentence == "no_model" else "send"
    page.get_by_role("button", name=SAY[again], exact=True).wait_for()


def test_begun_anew_the_dialogue_is_gone_and_the_code_stays(visit: Open) -> None:
    page = visit("sum-tokens")
    begin(page)
    write(page, "def mine():\n    pass\n")
    press(page, "fresh")
    press(page, "sure_no")
    press(page, "fresh")
    press(page, "sure_yes")
    page.get_by_role("button", name=SAY["begin"], exact=True).wait_for()
    assert page.get_by_text("Hello! What is asked for here?").count() == 0
    assert "def mine()" in read_editor(page)


def test_what_is_too_long_is_refused_and_nothing_of_it_kept(visit: Open, folder: Path) -> None:
    page = visit("bus-timetable")
    write(page, "def first():\n    return 1\n")
    page.get_by_text(SAY["saved"]).wait_for()
    write(page, "x = 1\n" * 4000)
    page.get_by_text(SAY["refused"]["code"]).wait_for()
    (kept,) = folder.rglob("bus-timetable.en.py")
    assert kept.read_text(encoding="utf-8") == "def first():\n    return 1\n"


def test_enter_and_tab_indent_by_four_and_escape_leads_out_of_the_editor(visit: Open) -> None:
    page = visit("image-runs")
    write(page, "def f(x):")
    page.locator("#editor .cm-content").click()
    page.keyboard.press("Control+End")
    for key in ("Enter", "a", "Enter", "Tab", "b", "Shift+Tab", "Enter", "c"):
        page.keyboard.press(key)
    assert read_editor(page) == "def f(x):\n    a\n    b\n    c"
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    assert not page.evaluate("document.activeElement.closest('#editor')")


def test_without_a_sandbox_nothing_runs_and_it_is_said_how_to_get_one(
    visit: Open, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    for language in ("en", "fr"):
        page = visit("weather-days", language)
        press(page, "run", language)
        page.get_by_text(load_tutor_texts(language)["no_sandbox"]).wait_for()
        assert "apt-get install bubblewrap" in page.locator("#status").inner_text()
        assert page.locator(".cases").count() == 0


def test_the_page_asks_nobody_else_and_leaves_nothing_in_the_browser(visit: Open, address: str) -> None:
    page = visit("motif-finder")
    hosts: set[str] = set()
    page.on("request", lambda request: hosts.add(request.url.split("/")[2]))
    page.reload()
    begin(page)
    say(page, "a secret")
    page.get_by_text("Go on.").wait_for()
    assert hosts == {address.removeprefix("http://")}
    assert "secret" not in page.evaluate("JSON.stringify({...localStorage, ...sessionStorage})")


def test_a_task_that_is_not_there_is_told(visit: Open, address: str) -> None:
    page = visit(TASK)
    page.goto(f"{address}/tutor/en/?task=no-such")
    page.get_by_text("There is no task of this name.").wait_for()
    page.get_by_role("link", name=SAY["all_tasks"]).click()
    page.get_by_role("heading", name=SAY["choose"]).wait_for()


@pytest.mark.parametrize("name", ["open", "save", "run", "say", "go_on", "begin_anew"])
def test_nobody_gets_past_the_queue(address: str, name: str) -> None:
    sent = httpx.post(f"{address}/tutor/en/gradio_api/run/{name}?task={TASK}", json={"data": ["x"]})
    assert sent.status_code in (400, 404)


def test_both_languages_have_the_same_words() -> None:
    def list_keys(texts: Any, at: str = "") -> set[str]:
        if not isinstance(texts, dict):
            return {at}
        return {key for name, value in texts.items() for key in list_keys(value, f"{at}.{name}")}

    assert list_keys(dict(SAY)) == list_keys(dict(load_tutor_texts("fr")))
