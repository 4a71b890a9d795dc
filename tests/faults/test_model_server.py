"""A model's server that fails: the student is told kindly, nothing false is kept, the next question is answered."""

from collections.abc import Iterator

import httpx
import pytest

from app.campus.visitor import PageReply, PageVisitor
from app.web.texts import load_page_texts
from scribe.backends.api import ApiBackend
from tests.app.campus.running import RunningCampus, run_apart, run_campus
from tests.faults.shaky_model import ShakyModel, Trouble, serve_shaky_model
from tests.killing.scripted_model import answer_to


@pytest.fixture(scope="module")
def model() -> Iterator[ShakyModel]:
    with serve_shaky_model() as shaky:
        yield shaky


@pytest.fixture(scope="module")
def campus(model: ShakyModel, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningCampus]:
    backend = ApiBackend(model.url, "scripted", api_key="planted-key-5c1b", timeout=1.0, pause=0.0)
    with run_campus(tmp_path_factory.mktemp("campus"), model=backend) as running:
        yield running


def ask(campus: RunningCampus, question: str, language: str = "en") -> PageReply:
    async def talk() -> PageReply:
        visitor = PageVisitor(campus.address, {**campus.headers("ada"), "accept-language": language})
        await visitor.enter("mini")
        try:
            return await visitor.ask(question)
        finally:
            await visitor.close()

    return run_apart(talk())


@pytest.mark.parametrize("trouble", ["html", "busy", "drop", "cut", "silence"])
@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_server_that_fails_is_told_kindly_and_the_next_question_is_answered(
    campus: RunningCampus, model: ShakyModel, caplog: pytest.LogCaptureFixture, language: str, trouble: Trouble
) -> None:
    model.trouble = trouble
    failed = ask(campus, f"Is it {trouble}?", language)
    model.trouble = ""
    assert (failed.text, failed.refusal) == (load_page_texts(language)["no_model"], "")
    assert "a question could not be answered" in caplog.text
    assert "planted-key" not in caplog.text and "Is it" not in caplog.text
    question = f"Why {trouble} {language}?"
    assert ask(campus, question, language).text == answer_to(question)


def test_only_what_was_answered_is_kept(campus: RunningCampus, model: ShakyModel) -> None:
    model.trouble = "cut"
    ask(campus, "Is this kept?")
    model.trouble = ""
    ask(campus, "And this?")
    kept = httpx.get(f"{campus.address}/mine/download", headers=campus.headers("ada")).json()["conversations"]
    questions = [turn["question"] for each in kept for turn in each["turns"]]
    assert "And this?" in questions and "Is this kept?" not in questions
