"""The labelling page in a real browser. Skipped where there is no Chromium."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from app.web import serving
from eval.agreement.labelling import draw_sample
from eval.judge import rubric
from eval.judge.judgement import Label, read_labels
from tests.eval.agreement.files import answers


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("labels")


@pytest.fixture(scope="module")
def address(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    from app.web import labelling, marking

    runs = tmp_path_factory.mktemp("runs")
    items = draw_sample([answers(runs / f"{run}.jsonl", ["q1", "q2"]) for run in ("tuned", "base")])
    room = labelling.LabellingRoom(
        items,
        rubric.load(wanted=("relevance", "correctness")),
        folder,
        ("ana", "ben"),
        lambda record: "- a_tool(): <i>it</i> looks something up.",
    )
    port = serving.find_free_port("127.0.0.1", 17960)
    blocks = marking.build_marking_page(room)
    serving.serve(blocks, "127.0.0.1", port, wait=False, looks="labelling")
    yield f"http://127.0.0.1:{port}"
    blocks.close()


@pytest.fixture
def page(address: str, browser: Any) -> Iterator[Any]:
    opened = browser.new_page()
    opened.set_default_timeout(60_000)
    opened.goto(address)
    opened.wait_for_selector("#person")
    yield opened
    opened.close()


def enter(page: Any, person: str) -> None:
    page.get_by_label(person).check()
    page.wait_for_selector("#criterion h2")


def saved(page: Any, count: int) -> None:
    page.get_by_text(f"{count} of 8 labels saved").wait_for()


def labels(folder: Path, person: str) -> list[Label]:
    return [*read_labels(folder / f"{person}.jsonl")]


def test_a_key_labels_what_is_seen_and_it_is_on_the_disk(page: Any, folder: Path) -> None:
    enter(page, "ana")
    page.keyboard.press("y")
    saved(page, 1)
    page.keyboard.press("2")
    saved(page, 2)
    assert [label.value for label in labels(folder, "ana")] == [True, False]
    page.keyboard.press("u")
    saved(page, 1)
    assert [label.value for label in labels(folder, "ana")] == [True]


def test_nothing_on_the_page_tells_the_run_and_markup_of_an_answer_stays_text(page: Any) -> None:
    enter(page, "ben")
    shown = page.inner_text("#answer")
    assert "says <b>q" in shown
    assert "#q" not in page.content()
    saved(page, 0)


def test_people_have_before_them_what_a_judge_has(page: Any) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    enter(page, "ben")
    shown = page.inner_text("#answer")
    assert "Which weeks went badly?" in shown
    assert not page.get_by_text("Few sessions.").is_visible()
    page.keyboard.press("r")
    page.keyboard.press("t")
    page.get_by_text("Few sessions. ![x](http://other.test/x.png)").wait_for()
    page.get_by_text("a_tool(): <i>it</i> looks").wait_for()
    assert not [url for url in asked if "other.test" in url]


def test_the_buttons_stay_in_sight_below_and_another_answer_begins_at_its_top(page: Any) -> None:
    enter(page, "ben")
    page.evaluate("document.getElementById('answer').style.minHeight = '3000px'")
    page.evaluate("window.scrollTo(0, 1500)")
    assert page.evaluate("document.getElementById('asked').getBoundingClientRect().top") >= 0
    page.keyboard.press("s")
    page.keyboard.press("s")
    page.wait_for_function("window.scrollY === 0")


def test_many_presses_at_once_label_nothing_unseen(page: Any, folder: Path) -> None:
    enter(page, "ben")
    page.evaluate("for (const i of [1, 2, 3]) document.getElementById('yes').click()")
    saved(page, 1)
    assert len(labels(folder, "ben")) == 1


def test_who_comes_again_goes_on_where_they_were(page: Any) -> None:
    enter(page, "ben")
    saved(page, 1)
