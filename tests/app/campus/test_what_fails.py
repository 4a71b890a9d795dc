"""What students are told when something of theirs, or of their course, is not there."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.campus.visitor import PageReply, PageVisitor
from app.web.texts import load_page_texts
from data import bundle
from tests.app.campus.running import RunningCampus, run_apart, run_campus
from tests.app.told import mini_courses


@pytest.fixture(scope="module")
def campus(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningCampus]:
    with run_campus(tmp_path_factory.mktemp("campus")) as running:
        yield running


def ask(campus: RunningCampus, account: str, language: str, question: str, report: str = "nr") -> PageReply:
    async def talk() -> PageReply:
        visitor = PageVisitor(campus.address, {**campus.headers(account), "accept-language": language})
        await visitor.enter("mini")
        try:
            return await visitor.ask(question, report)
        finally:
            await visitor.close()

    return run_apart(talk())


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize(
    ("account", "question", "report", "kind"),
    [
        ("bob", "Why?", "nr", "no_report"),
        ("ada", "Why?", "con", "report"),
        ("ada", " ?! ", "nr", "empty"),
        ("ada", "a" * 2001, "nr", "long"),
    ],
)
def test_why_a_question_cannot_be_asked_is_said_in_the_students_language(
    campus: RunningCampus, language: str, account: str, question: str, report: str, kind: str
) -> None:
    reply = ask(campus, account, language, question, report)
    assert reply.refusal == load_page_texts(language)["refused"][kind]


def test_a_course_needs_no_textbook(tmp_path: Path) -> None:
    folder = mini_courses(tmp_path) / "mini"
    shutil.rmtree(folder / "textbook")
    course = bundle.load(folder)
    with run_campus(tmp_path, course=course) as campus:
        reply = ask(campus, "ada", "en", "What is week 2?")
    assert reply.text == "You asked: What is week 2? It is called Middle."


def test_a_textbook_folder_with_nothing_in_it_is_a_mistake(tmp_path: Path) -> None:
    folder = mini_courses(tmp_path) / "mini"
    for chapter in (folder / "textbook").iterdir():
        chapter.unlink()
    assert [problem.file for problem in bundle.check(folder)] == ["textbook"]
