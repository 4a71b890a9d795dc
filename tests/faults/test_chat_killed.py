"""A chat that is killed or told to end while students ask."""

import asyncio
import signal
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from app.campus.visitor import PageReply
from app.web.texts import load_page_texts
from tests.faults.chat_process import ChatProcess
from tests.faults.machine import run_apart
from tests.killing.scripted_model import ScriptedModel, answer_to

pytestmark = pytest.mark.timeout(600)  # processes start, on a machine that may be busy
PEOPLE = {f"student{number}": "s001" for number in range(6)}
FIRST = "student0"


@pytest.fixture
def chat(scripted_model: ScriptedModel, tmp_path: Path) -> Iterator[ChatProcess]:
    chat = ChatProcess(tmp_path / "chat", scripted_model.url, people=PEOPLE).prepare()
    scripted_model.delay = 0.0
    try:
        chat.start()
        yield chat
    finally:
        scripted_model.delay = 0.0
        chat.stop()


async def wait_for_line(chat: ChatProcess, length: int) -> None:
    """Return when so many questions are answered or wait."""
    async with httpx.AsyncClient(base_url=chat.address, timeout=60) as client:
        while f"scribe_line_length {length}.0" not in (await client.get("/metrics")).text:
            await asyncio.sleep(0.05)


def test_killed_it_keeps_what_was_answered_and_lets_everybody_ask_at_once_after_the_start(
    chat: ChatProcess, scripted_model: ScriptedModel
) -> None:
    async def talk() -> tuple[object, PageReply]:
        visitor = chat.visitor(FIRST)
        await visitor.enter("mini")
        await visitor.ask("Before?")
        scripted_model.delay = 5.0
        asked = asyncio.create_task(visitor.ask("Meanwhile?"))
        await wait_for_line(chat, 1)
        await asyncio.to_thread(chat.kill)
        (broken,) = await asyncio.gather(asked, return_exceptions=True)
        scripted_model.delay = 0.0
        await asyncio.to_thread(chat.start)
        again = await visitor.ask("Meanwhile?")  # by the same page, which the student did not even load anew
        await visitor.close()
        return broken, again

    broken, again = run_apart(talk())
    assert isinstance(broken, httpx.TransportError)
    assert (again.text, again.refusal) == (answer_to("Meanwhile?"), "")
    assert [turn["question"] for turn in chat.read_turns(FIRST)] == ["Before?", "Meanwhile?"]


def test_told_to_end_under_load_it_answers_who_is_in_line_and_lets_nobody_else_in(
    chat: ChatProcess, scripted_model: ScriptedModel
) -> None:
    """Five ask, four of them at once; a sixth comes when it is told to end."""

    async def talk() -> tuple[list[PageReply], PageReply]:
        visitors = [chat.visitor(person) for person in PEOPLE]
        for visitor in visitors:
            await visitor.enter("mini")
        scripted_model.delay = 3.0
        asked = [asyncio.create_task(each.ask(f"From {n}?")) for n, each in enumerate(visitors[:-1])]
        await wait_for_line(chat, len(asked))
        chat.send(signal.SIGTERM)
        late = await visitors[-1].ask("Too late?")
        replies = await asyncio.gather(*asked)
        code = await asyncio.to_thread(chat.wait)
        assert code == 0
        for visitor in visitors:
            await visitor.close()
        return replies, late

    replies, late = run_apart(talk())
    assert [each.text for each in replies] == [answer_to(f"From {number}?") for number in range(len(replies))]
    assert late.refusal == load_page_texts("en")["refused"]["full"]
    scripted_model.delay = 0.0
    chat.start()
    kept = [[turn["question"] for turn in chat.read_turns(person)] for person in PEOPLE]
    assert kept == [*([f"From {number}?"] for number in range(len(replies))), []]
    assert "Traceback" not in chat.log.read_text()
