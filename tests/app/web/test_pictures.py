"""The page's pictures, in a real browser where there is one."""

import base64
import dataclasses
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from app.web import serving
from app.web.pictures import Pictures
from data import bundle
from data.course import BundleError, Course
from tests.app.told import mini_courses, scripted
from tools.assembly.assistant import assemble
from tools.assembly.settings import AssistantSettings

MINE, TOPICS = "What weighs in my result", "How topics build on each other"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return mini_courses(tmp_path_factory.mktemp("courses"))


@pytest.fixture(scope="module")
def course(folder: Path) -> Course:
    return bundle.load(folder / "mini")


@pytest.fixture(scope="module")
def address(folder: Path, course: Course) -> Iterator[str]:
    from app.web.page import build_page

    settings = AssistantSettings().with_changes("courses", folder=str(folder), course="mini")
    blocks = build_page(assemble(settings, course, scripted()(settings)))
    port = serving.find_free_port("127.0.0.1", 17890)
    serving.serve(blocks, "127.0.0.1", port, wait=False)
    yield f"http://127.0.0.1:{port}"
    blocks.close()


@pytest.fixture
def opened(address: str, browser: Any) -> Iterator[Any]:
    page = browser.new_page(viewport={"width": 420, "height": 900})
    page.set_default_timeout(60_000)  # for machines that are busy with other things
    page.goto(address)
    page.get_by_role("button", name="Send").wait_for()
    yield page
    page.close()


def svg(html: str) -> str:
    found = re.search(r'src="data:image/svg\+xml;base64,([^"]+)"', html)
    assert found is not None
    return base64.b64decode(found[1]).decode()


def test_the_map_is_drawn_when_opened_and_follows_the_student(opened: Any) -> None:
    assert opened.locator("img.picture").count() == 0
    opened.get_by_role("button", name=MINE).click()
    picture = opened.get_by_role("img", name="What would help me pass")
    picture.wait_for()
    assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") > 300
    opened.get_by_label("Demo student (simulated)").click()
    opened.get_by_role("option", name="s002").click()
    opened.get_by_role("img", name="there is no map to draw").wait_for()
    assert picture.count() == 0


def test_the_topic_map_shows_what_a_week_builds_on_and_does_not_widen_the_page(opened: Any) -> None:
    opened.get_by_role("button", name=TOPICS).click()
    opened.get_by_role("img", name="week 2: Vectors").wait_for()
    opened.get_by_label("Show").click()
    opened.get_by_role("option", name="What week 3 builds on").click()
    opened.get_by_role("img", name="Week 3 builds on Vectors (week 2).").wait_for()
    assert opened.evaluate("document.documentElement.scrollWidth") <= 420


@pytest.mark.parametrize("name", ["weighs", "topics"])
def test_nobody_gets_a_picture_past_the_queue(address: str, name: str) -> None:
    assert httpx.post(f"{address}/gradio_api/run/{name}", json={"data": ["s001"]}).status_code == 404


def test_each_student_gets_their_own_picture_and_the_same_again(course: Course) -> None:
    pictures = Pictures(course)
    first, second = (pictures.importance(name) for name in ("s001", "s002"))
    assert "What would help me pass" in first
    assert "What would help me pass" not in second
    assert svg(first) != svg(second)
    assert pictures.importance("s001") is first


def test_a_week_that_is_not_there_is_refused_and_words_are_safe(course: Course) -> None:
    pictures = Pictures(course)
    with pytest.raises(BundleError, match="weeks 1 to 3"):
        pictures.topics(9)
    assert svg(pictures.topics(None)) != svg(pictures.topics(3))
    plan = (dataclasses.replace(course.plan[0], topics=('"><script>alert(1)</script>', "Sequences")), *course.plan[1:])
    html = Pictures(dataclasses.replace(course, plan=plan)).topics(None)
    assert "<script" not in html
    assert "&lt;script&gt;" in html
