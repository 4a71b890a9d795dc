"""What tests said, as a page shows it."""

import pytest

from app.tutoring.page.results import read_saved, read_suite, summarise, write_cases, write_progress_line
from app.tutoring.page.texts import load_tutor_texts
from data.tasks.brief import make_brief
from data.tasks.reading import find_task
from scribe.sandbox.result import CaseResult, Reason, SuiteResult
from scribe.tutor.results import write_results

SAY = load_tutor_texts("en")
TASK = find_task("final-grade")


def show(*cases: CaseResult) -> str:
    return write_cases(read_suite(SuiteResult(cases), TASK, SAY), SAY)


def test_an_assertion_shows_what_was_expected_and_the_values() -> None:
    told = show(CaseResult("test_one", "failed", "assert grade(1) == 2\n3 == 2"), CaseResult("test_two", "passed"))
    assert "<dt>Expected</dt><dd>grade(1) == 2</dd><dt>With the values</dt><dd>3 == 2</dd>" in told
    assert told.count('class="failed"') == told.count('class="passed"') == 1


def test_an_error_names_the_line_as_the_editor_counts() -> None:
    here = TASK.place("def final_grade(grades, weights):\n    return nothing\n")[TASK.target_file]
    line = next(at for at, text in enumerate(here.splitlines(), 1) if "nothing" in text)
    told = show(CaseResult("test_one", "error", f"NameError: no ({TASK.target_file}, {line})"))
    assert "NameError: no (line 2 of your code)" in told
    assert "(other.py, 3)" in show(CaseResult("test_one", "error", "NameError: no (other.py, 3)"))


@pytest.mark.parametrize("reason", ["timeout", "memory", "ended", "unreached"])
@pytest.mark.parametrize("language", ["en", "fr"])
def test_each_way_to_end_has_a_sentence(reason: Reason, language: str) -> None:
    say = load_tutor_texts(language)
    told = write_cases(read_suite(SuiteResult((CaseResult("test_one", reason),)), TASK, say), say)
    assert say[f"reason_{reason}"].replace("'", "&#x27;") in told


def test_nothing_that_a_test_says_is_markup() -> None:
    told = show(CaseResult("test_one", "error", "ValueError: <img src=x>", "<script>"))
    assert "<img" not in told
    assert "<script>" not in told
    assert "&lt;script&gt;" in told


def test_a_reason_that_all_have_is_said_once() -> None:
    told = show(
        *(CaseResult(f"test_{name}", "error", "NameError: x") for name in "abc"), CaseResult("test_d", "passed")
    )
    assert told.count("NameError: x") == 1
    assert SAY["same"] in told
    assert told.count("<li") == 4


def test_what_was_kept_says_the_same_names() -> None:
    cases = (CaseResult("test_one", "passed"), CaseResult("test_two_b", "failed", "assert x == 1\n2 == 1 (so)"))
    found = read_saved(write_results(cases), SAY)
    assert [(each.name, each.passed) for each in found] == [("one", True), ("two b", False)]
    assert found[1].lines == (("Error", "assert x == 1 2 == 1 (so)"),)
    assert SAY["changed"] in write_cases(found, SAY, True)
    assert read_saved("", SAY) == []


def test_the_count_has_words_for_all_some_and_none() -> None:
    passed, failed = CaseResult("test_a", "passed"), CaseResult("test_b", "failed", "x")
    told = [
        summarise(read_suite(SuiteResult(each), TASK, SAY), SAY) for each in ((passed,), (passed, failed), (failed,))
    ]
    assert told == ["All 1 tests pass.", "1 of 2 tests pass.", "None of the 1 tests passes yet."]


def test_progress_is_a_mark_for_each_component_and_words_beside_it() -> None:
    brief = make_brief(TASK, "English")
    names = [each.name for each in brief.components]
    told = write_progress_line(brief, {names[0]: 0.9, names[1]: 0.5}, SAY)
    assert f"<b>1 of {len(names)}</b>" in told
    assert told.count('class="yes"') == told.count('class="maybe"') == 1
    assert f"{names[0]}: probably" in told
