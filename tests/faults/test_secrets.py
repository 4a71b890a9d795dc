"""An API's key, planted, and a server that says it back wherever it can: it is in nothing that is written or said."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import pytest

from scribe.messages import END_OF_FINAL_ANSWER, END_OF_REASONING, FINAL_ANSWER
from tests.app.batch.questions import courses, row, write
from tests.loopback import LoopbackReply, serve_locally

ROOT = Path(__file__).parents[2]
KEY = "sk-planted-3e9d7c21f0aa"
Way = Literal["answer", "name", "refusal", "busy", "odd", "html"]
WAYS: tuple[Way, ...] = ("answer", "name", "refusal", "busy", "odd", "html")


@dataclass(slots=True)
class EchoingServer:
    """Says the key in its answers, its name, its errors, or in what is no reply at all."""

    way: Way = "answer"
    url: str = ""

    def respond(self, path: str, body: bytes) -> LoopbackReply:
        """A reply with the key in it."""
        asked = json.loads(body)
        said = f" Enough. {END_OF_REASONING}\n{FINAL_ANSWER}Your key is {KEY}.{END_OF_FINAL_ANSWER}"
        text = said if self.way == "answer" else said.replace(KEY, "safe")
        choice = {"index": 0, "finish_reason": "stop"}
        told = {"model": KEY if self.way == "name" else "scripted", "choices": [choice | {"delta": {"content": text}}]}
        match self.way:
            case "refusal":
                return LoopbackReply(json.dumps({"error": f"no such field for key {KEY}"}).encode(), 400)
            case "busy":
                return LoopbackReply(f"<html>Bearer {KEY} may ask later".encode(), 503)
            case "odd":
                told = {"model": "m", "choices": f"none for {KEY}"}
            case "html":
                return LoopbackReply(f"{' ' * 60}<html>{KEY}".encode())
        if not asked.get("stream"):
            told["choices"] = [choice | {"message": {"role": "assistant", "content": text}}]
            return LoopbackReply(json.dumps(told).encode())
        events = f"data: {json.dumps(told)}\n\ndata: [DONE]\n\n".encode()
        return LoopbackReply(events, headers={"Content-Type": "text/event-stream"})


@pytest.fixture(scope="module")
def server() -> Iterator[EchoingServer]:
    echoing = EchoingServer()
    with serve_locally(echoing.respond) as echoing.url:
        yield echoing


RUN_ALL = """
import sys
from app.cli import main
for line in sys.stdin.read().splitlines():
    print(line, "->", main(line.split("|")), flush=True)
"""


@pytest.mark.timeout(600)
@pytest.mark.parametrize("way", WAYS)
def test_a_key_is_in_no_answer_error_log_record_or_manifest(server: EchoingServer, way: Way, tmp_path: Path) -> None:
    """`ask`, `answer`, `judge`, `doctor` in one process, whose every file and word is searched."""
    server.way = way
    courses(tmp_path / "courses")
    write(tmp_path / "in.jsonl", [row(0), row(1)])
    ours = {
        "SCRIBE_API_KEY": KEY,
        "SCRIBE_MODEL_BASE_URL": server.url,
        "SCRIBE_MODEL_BACKEND": "api",
        "SCRIBE_MODEL_PATH": "scripted",
        "SCRIBE_COURSES_FOLDER": str(tmp_path / "courses"),
        "SCRIBE_CACHE": str(tmp_path / "cache"),
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
        "PYTHONPATH": str(ROOT),
    }
    judge = f"judge|answers.jsonl|--judge|j|--base-url|{server.url}|--out|judged.jsonl|--cache|c.sqlite"
    lines = ["ask|Why?|--course|mini|--student|s001|--json", "answer|in.jsonl|--out|answers.jsonl", judge, "doctor"]
    how = {"cwd": tmp_path, "env": {**os.environ, **ours}, "capture_output": True, "text": True}
    done = subprocess.run([sys.executable, "-c", RUN_ALL], input="\n".join(lines), timeout=500, **how)  # type: ignore[call-overload]
    assert done.returncode == 0 and "doctor -> " in done.stdout, done.stderr[-800:]
    assert KEY not in done.stdout + done.stderr
    written = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert tmp_path / "answers.jsonl" in written
    assert not [path for path in written if KEY.encode() in path.read_bytes()]
    if way == "answer":
        assert b"[API key]" in (tmp_path / "answers.jsonl").read_bytes()
