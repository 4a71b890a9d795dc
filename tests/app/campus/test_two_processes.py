"""Two chat processes on one database: limits and conversations are one."""

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from app.campus.visitor import PageVisitor
from app.web.serving import find_free_port
from tests.app.campus.conftest import PROOF
from tests.app.campus.running import run_apart
from tests.app.store.cluster import Cluster
from tests.app.told import mini_courses

ROOT = Path(__file__).parents[3]
pytestmark = pytest.mark.timeout(600)  # two processes start, on a machine that may be busy
PEOPLE = ("ada", "bob", "cleo")

SETTINGS = """
[accounts]
sign_in = ["header"]
roster = "{folder}/roster.csv"
secret = "{folder}/secret"
https = false
[header]
secret = "{folder}/proof"
[site]
hosts = ["127.0.0.1"]
[storage]
address = "{database}"
[limits]
per_minute = 2
[courses]
folder = "{folder}/courses"
"""


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def addresses(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    folder = tmp_path_factory.mktemp("campus")
    database = str(folder / "scribe.db")
    if request.param == "postgresql":
        running: Cluster = request.getfixturevalue("cluster")
        database = running.add_database()
    mini_courses(folder / "courses")
    roster = "".join(f"{account},mini,s001,student\n" for account in PEOPLE)
    (folder / "roster.csv").write_text(f"account,course,student,role\n{roster}")
    (folder / "secret").write_text("s" * 40)
    (folder / "proof").write_text(PROOF)
    (folder / "scribe.toml").write_text(SETTINGS.format(folder=folder, database=database))
    environment = {**os.environ, "SCRIBE_CONFIG": str(folder / "scribe.toml"), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "tests.app.campus.scripted_chat"]
    first = find_free_port("127.0.0.1", 18900)
    ports = (first, find_free_port("127.0.0.1", first + 1))
    # Both at once: each brings the tables of the new database up to date.
    processes = [
        subprocess.Popen([*command, "--port", str(port)], env=environment, cwd=folder, stdout=subprocess.DEVNULL)
        for port in ports
    ]
    try:
        for port, process in zip(ports, processes, strict=True):
            wait_until_healthy(f"http://127.0.0.1:{port}", process)
        yield f"http://127.0.0.1:{ports[0]}", f"http://127.0.0.1:{ports[1]}"
    finally:
        for process in processes:
            process.terminate()
        for process in processes:
            process.wait(90)


def wait_until_healthy(address: str, process: "subprocess.Popen[bytes]") -> None:
    while process.poll() is None:
        try:
            if httpx.get(f"{address}/healthz", headers={"host": "127.0.0.1"}).status_code == 200:
                return
        except httpx.TransportError:
            time.sleep(0.2)
    raise AssertionError("the chat did not start")


def visitor(address: str, account: str) -> PageVisitor:
    return PageVisitor(address, {"x-remote-user": account, "x-scribe-proof": PROOF})


def test_a_conversation_begun_at_one_goes_on_at_the_other(addresses: tuple[str, str]) -> None:
    async def talk() -> tuple[str, str]:
        one, other = visitor(addresses[0], "ada"), visitor(addresses[1], "ada")
        await one.enter("mini")
        await other.enter("mini")  # agreed at the first, asked for at neither
        return (await one.ask("First?")).text, (await other.ask("Second?")).text

    said = run_apart(talk())
    assert said == tuple(f"You asked: {each}? It is called Middle." for each in ("First", "Second"))
    headers = {"x-remote-user": "ada", "x-scribe-proof": PROOF}
    kept = [httpx.get(f"{address}/mine/download", headers=headers).json() for address in addresses]
    assert kept[0]["conversations"] == kept[1]["conversations"]
    assert [turn["question"] for turn in kept[0]["conversations"][0]["turns"]] == ["First?", "Second?"]


def test_a_person_has_one_running_question_over_both(addresses: tuple[str, str]) -> None:
    async def talk() -> tuple[str, str]:
        one, other = visitor(addresses[0], "bob"), visitor(addresses[1], "bob")
        await one.enter("mini")
        await other.enter("mini")
        endless = asyncio.create_task(one.ask("Wait for ever."))
        metrics = f"{addresses[0]}/metrics"
        while "scribe_line_length 1.0" not in httpx.get(metrics).text:
            await asyncio.sleep(0.1)
        refused = (await other.ask("Wait too.")).refusal
        endless.cancel()
        await asyncio.gather(endless, return_exceptions=True)
        await one.close()
        return refused, (await other.ask("Mine?")).refusal

    assert run_apart(talk())[0] == "Your earlier question is still being answered."


def test_the_quota_is_one_over_both(addresses: tuple[str, str]) -> None:
    async def talk() -> list[str]:
        visitors = [visitor(address, "cleo") for address in addresses]
        for each in visitors:
            await each.enter("mini")
        return [(await visitors[number % 2].ask(f"Number {number}?")).refusal for number in range(3)]

    first, second, third = run_apart(talk())
    assert (first, second) == ("", "")
    assert "You can ask again in" in third
