"""A database that is locked, on a full disk or on one that has become read-only: what students see, what is kept."""

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from app.campus.texts import load_texts
from app.campus.visitor import PageReply
from app.web.texts import load_page_texts
from tests.faults.chat_process import ChatProcess
from tests.faults.machine import fill, lock_database, make_read_only, mount_disk, run_apart
from tests.killing.scripted_model import ScriptedModel, answer_to

pytestmark = pytest.mark.timeout(600)  # a process starts, on a machine that may be busy
LANGUAGES = ("en", "fr")


@pytest.fixture(scope="module")
def disk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with mount_disk(tmp_path_factory.mktemp("machine") / "disk", 1024) as place:
        yield place


@pytest.fixture(scope="module")
def chat(scripted_model: ScriptedModel, disk: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ChatProcess]:
    """A chat whose database lies on a small disk, waits a second only, and knows Ada already."""
    chat = ChatProcess(
        tmp_path_factory.mktemp("chat"), scripted_model.url, f"sqlite:///{disk}/scribe.db?timeout=1"
    ).prepare()
    try:
        chat.start()
        assert run_apart(chat.ask("ada", "First?")).text == answer_to("First?")
        yield chat
    finally:
        chat.stop()


def look(chat: ChatProcess, language: str, path: str = "/c/mini/") -> httpx.Response:
    headers = {**chat.headers("ada", language), "accept": "text/html"}
    return httpx.get(f"{chat.address}{path}", headers=headers, timeout=60)


@pytest.mark.parametrize("path", ["/c/mini/", "/mine"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_while_the_database_is_locked_pages_say_so_kindly(
    chat: ChatProcess, disk: Path, language: str, path: str
) -> None:
    with lock_database(disk / "scribe.db"):
        told = look(chat, language, path)
        health = httpx.get(f"{chat.address}/healthz", timeout=60)
    assert (told.status_code, health.status_code) == (503, 503)
    assert load_texts(language)["trouble"]["words"].split("'")[0] in told.text
    assert "sqlite" not in told.text and str(disk) not in told.text
    assert look(chat, language, path).status_code in (200, 303)


def test_while_some_wait_for_a_locked_database_others_are_served(chat: ChatProcess, disk: Path) -> None:
    with lock_database(disk / "scribe.db"), ThreadPoolExecutor(4) as threads:
        waiting = [threads.submit(look, chat, "en") for _ in range(4)]
        while not all(each.running() for each in waiting):
            pass
        assert httpx.get(f"{chat.address}/static/plain.css", timeout=60).status_code == 200
        served_first = not all(each.done() for each in waiting)
    assert served_first


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_question_that_cannot_be_kept_is_said_and_the_next_is_let_in(
    chat: ChatProcess, scripted_model: ScriptedModel, disk: Path, language: str
) -> None:
    """The lock comes when the question has been let in, and is there when its answer is to be kept."""

    async def talk() -> tuple[PageReply, str]:
        visitor = chat.visitor("ada", language)
        await visitor.enter("mini")
        scripted_model.delay = 3.0
        asked = asyncio.create_task(visitor.ask(f"Kept {language}?"))
        while not await asyncio.to_thread(count_running, chat):
            await asyncio.sleep(0.05)
        with lock_database(disk / "scribe.db"):
            scripted_model.delay = 0.0
            shown = await asked
        again = (await visitor.ask(f"Again {language}?")).text
        await visitor.close()
        return shown, again

    shown, again = run_apart(talk())
    assert shown.refusal == load_page_texts(language)["refused"]["storage"]
    assert again == answer_to(f"Again {language}?")
    kept = [turn["question"] for turn in chat.read_turns("ada")]
    assert f"Again {language}?" in kept and f"Kept {language}?" not in kept


def count_running(chat: ChatProcess) -> bool:
    """Whether a question is being answered."""
    return "scribe_line_length 1.0" in httpx.get(f"{chat.address}/metrics").text


def test_while_the_database_is_locked_no_question_is_let_in(chat: ChatProcess, disk: Path) -> None:
    async def talk() -> str:
        visitor = chat.visitor("ada")
        await visitor.enter("mini")
        with lock_database(disk / "scribe.db"), pytest.raises(httpx.HTTPStatusError, match="503"):
            await visitor.ask("Let in?")
        text = (await visitor.ask("And now?")).text
        await visitor.close()
        return text

    assert run_apart(talk()) == answer_to("And now?")


def test_a_full_disk_loses_nothing_that_was_kept_and_when_there_is_room_all_goes_on(
    chat: ChatProcess, disk: Path
) -> None:
    kept = [turn["question"] for turn in chat.read_turns("ada")]
    said = load_page_texts("en")["refused"]["storage"]

    async def talk() -> tuple[list[PageReply], str]:
        visitor = chat.visitor("ada")
        await visitor.enter("mini")
        ballast = fill(disk)
        replies = [await visitor.ask(f"Kept {number}?") for number in range(30)]
        ballast.unlink()
        after = await visitor.ask("And after?")
        await visitor.close()
        return replies, after.text

    replies, after = run_apart(talk())
    assert {each.refusal for each in replies} >= {said} and {each.refusal for each in replies} <= {said, ""}
    assert after == answer_to("And after?")
    # What was answered without a warning was kept, since the log's file had room; the rest was not.
    whole = [f"Kept {number}?" for number, each in enumerate(replies) if not each.refusal]
    assert [turn["question"] for turn in chat.read_turns("ada")] == [*kept, *whole, "And after?"]


def test_a_database_that_cannot_be_written_is_said_at_the_start(scripted_model: ScriptedModel, tmp_path: Path) -> None:
    with mount_disk(tmp_path / "disk", 512) as disk:
        make_read_only(disk)
        chat = ChatProcess(tmp_path / "chat", scripted_model.url, f"{disk}/scribe.db").prepare()
        with pytest.raises(AssertionError, match="the chat did not start"):
            chat.start()
    assert chat.wait() == 2
    last = chat.log.read_text().splitlines()[-1]
    assert last.startswith(f"scribe: the database sqlite:///{disk}/scribe.db cannot be opened")


def test_nothing_of_it_is_a_trace_in_the_log(chat: ChatProcess) -> None:
    told = chat.log.read_text()
    assert "Traceback" not in told and "unforeseen" not in told
    assert "could not be read or kept" in told
