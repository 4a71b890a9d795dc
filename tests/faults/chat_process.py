"""`scribe chat` as a process that can be killed and started again, and students who ask there."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from app.campus.visitor import PageReply, PageVisitor
from app.web.serving import find_free_port
from tests.app.told import mini_courses

ROOT = Path(__file__).parents[2]
PROOF = "p" * 40
STARTING = 900.0
"""Seconds that a chat gets to start."""
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
per_minute = 0
per_day = 0
[courses]
folder = "{folder}/courses"
[model]
backend = "api"
path = "scripted"
base_url = "{model}"
"""


@dataclass(slots=True)
class ChatProcess:
    """A campus of one course in a folder. model: the address of the model that answers, as `--base-url` takes it."""

    folder: Path
    model: str
    database: str = ""
    people: Mapping[str, str] = field(default_factory=lambda: {"ada": "s001", "bob": "s001"})
    """Accounts, each with its student."""
    environment: Mapping[str, str] = field(default_factory=dict)
    program: Sequence[str] = (sys.executable, "-m", "app.cli", "chat")
    port: int = 0
    process: "subprocess.Popen[bytes] | None" = None

    def prepare(self) -> "ChatProcess":
        """Write course, roster, secrets and settings."""
        self.folder.mkdir(exist_ok=True)
        mini_courses(self.folder / "courses")
        roster = "".join(f"{account},mini,{student},student\n" for account, student in self.people.items())
        (self.folder / "roster.csv").write_text(f"account,course,student,role\n{roster}")
        (self.folder / "secret").write_text("s" * 40)
        (self.folder / "proof").write_text(PROOF)
        self.database = self.database or f"{self.folder}/scribe.db"
        told = SETTINGS.format(folder=self.folder, database=self.database, model=self.model)
        (self.folder / "scribe.toml").write_text(told)
        self.port = find_free_port("127.0.0.1", 17600)
        return self

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def log(self) -> Path:
        return self.folder / "log"

    def start(self) -> None:
        """Start it; returns when it is healthy."""
        ours = {"SCRIBE_CONFIG": str(self.folder / "scribe.toml"), "PYTHONPATH": str(ROOT)}
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [*self.program, "--port", str(self.port)],
                env={**os.environ, **ours, **self.environment},
                cwd=self.folder,
                stdout=log,
                stderr=log,
            )
        until = time.monotonic() + STARTING
        while self.process.poll() is None and time.monotonic() < until:
            try:
                if httpx.get(f"{self.address}/healthz", timeout=30).status_code == 200:
                    return
            except httpx.TransportError:
                time.sleep(0.2)
        raise AssertionError(f"the chat did not start: {self.log.read_text(errors='replace')[-800:]}")

    def send(self, number: int) -> None:
        """Send it a signal."""
        assert self.process is not None
        self.process.send_signal(number)

    def wait(self) -> int:
        """Its exit code, when it has ended."""
        assert self.process is not None
        return self.process.wait(120)

    def kill(self) -> None:
        """kill -9."""
        self.send(signal.SIGKILL)
        assert self.wait() == -signal.SIGKILL

    def stop(self) -> None:
        """End it, if it has not ended."""
        if self.process is not None and self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(100)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()

    def headers(self, account: str, language: str = "en") -> dict[str, str]:
        """What the proxy would add for somebody."""
        return {"x-remote-user": account, "x-scribe-proof": PROOF, "accept-language": language}

    def visitor(self, account: str, language: str = "en") -> PageVisitor:
        """Somebody at the page."""
        return PageVisitor(self.address, self.headers(account, language))

    async def ask(self, account: str, question: str, language: str = "en") -> PageReply:
        """What comes of one question of somebody who enters for it."""
        visitor = self.visitor(account, language)
        await visitor.enter("mini")
        try:
            return await visitor.ask(question)
        finally:
            await visitor.close()

    def read_turns(self, account: str) -> list[dict[str, Any]]:
        """All turns that are kept of somebody, of all conversations."""
        kept = httpx.get(f"{self.address}/mine/download", headers=self.headers(account), timeout=60).json()
        return [turn for conversation in kept["conversations"] for turn in conversation["turns"]]
