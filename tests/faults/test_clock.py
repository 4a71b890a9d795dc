"""The time of day of a running chat jumps, as it does when a machine finds its time server, or a wrong one."""

import asyncio
from collections.abc import Iterator

import httpx
import pytest

from app.campus.visitor import PageReply
from tests.faults.chat_process import ChatProcess
from tests.faults.machine import MovableClock, run_apart
from tests.killing.scripted_model import ScriptedModel, answer_to

pytestmark = pytest.mark.timeout(600)  # a process starts, on a machine that may be busy
HOUR = 3600
YEAR = 365 * 24 * HOUR


@pytest.fixture(scope="module")
def clock(tmp_path_factory: pytest.TempPathFactory) -> MovableClock:
    return MovableClock(tmp_path_factory.mktemp("clock"))


@pytest.fixture(scope="module")
def chat(
    scripted_model: ScriptedModel, clock: MovableClock, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[ChatProcess]:
    chat = ChatProcess(tmp_path_factory.mktemp("chat"), scripted_model.url, environment=clock.environment).prepare()
    try:
        chat.start()
        yield chat
    finally:
        chat.stop()


@pytest.mark.parametrize("jump", [-HOUR, HOUR, -YEAR, YEAR])
def test_whoever_talks_goes_on_talking_whichever_way_the_clock_jumps(
    chat: ChatProcess, clock: MovableClock, jump: int
) -> None:
    async def talk() -> list[PageReply]:
        visitor = chat.visitor("ada")
        clock.move(0)
        await visitor.enter("mini")
        said = [await visitor.ask(f"Before {jump}?")]
        clock.move(jump)
        said += [await visitor.ask(f"After {jump}?")]
        clock.move(0)
        said += [await visitor.ask(f"Again {jump}?")]
        await visitor.close()
        return said

    wanted = [f"{word} {jump}?" for word in ("Before", "After", "Again")]
    assert [each.text for each in run_apart(talk())] == [answer_to(question) for question in wanted]
    assert [turn["question"] for turn in chat.read_turns("ada")][-3:] == wanted


def test_whom_the_chat_was_answering_as_it_died_in_the_future_may_ask_in_the_present(
    chat: ChatProcess, scripted_model: ScriptedModel, clock: MovableClock
) -> None:
    async def talk() -> PageReply:
        visitor = chat.visitor("bob")
        await visitor.enter("mini")
        clock.move(YEAR)
        scripted_model.delay = 5.0
        asked = asyncio.create_task(visitor.ask("In a year?"))
        while "scribe_line_length 1.0" not in (await asyncio.to_thread(httpx.get, f"{chat.address}/metrics")).text:
            await asyncio.sleep(0.05)
        await asyncio.to_thread(chat.kill)
        await asyncio.gather(asked, return_exceptions=True)
        scripted_model.delay = 0.0
        clock.move(0)
        await asyncio.to_thread(chat.start)
        said = await visitor.ask("Today?")
        await visitor.close()
        return said

    said = run_apart(talk())
    assert (said.text, said.refusal) == (answer_to("Today?"), "")
