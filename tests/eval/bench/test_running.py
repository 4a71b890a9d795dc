"""Processes of their own, llama-server's answers, and tables."""

import json
import os
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from eval.bench.apart import apart
from eval.bench.contenders import Conditions
from eval.bench.llama_server import ServerBackend, serving
from eval.bench.machine import line
from eval.bench.measured import Measured
from eval.bench.prefix_reads import HEAD as READS
from eval.bench.prefix_reads import row as reads_row
from eval.bench.rate import HEAD as RATES
from eval.bench.rate import row as rate_row
from eval.bench.reciting import Reciting
from eval.bench.recorded import questions
from eval.bench.table import Figure
from scribe.backend import Sampling
from scribe.errors import BackendError

ENGINE = Measured("engine", 4, 4, 10.0, 8.0, 9, 1000, 105, 50, 100, 140)
PLAIN = Measured("plain", 4, 3, 40.0, None, 9, 1000, 300, 50, 100, 140)


class ScriptedServer(ThreadingHTTPServer):
    """Answers `/completion` as llama-server does, with `said`, and remembers what it was sent."""

    said: dict[str, Any]
    sent: list[dict[str, Any]]


class _Answers(BaseHTTPRequestHandler):
    server: ScriptedServer

    def do_POST(self) -> None:
        self.server.sent.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        body = json.dumps(self.server.said).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Not on stderr."""


@pytest.fixture
def scripted() -> Iterator[ScriptedServer]:
    with ScriptedServer(("127.0.0.1", 0), _Answers) as server:
        server.sent = []
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        yield server
        server.shutdown()


def address(server: ScriptedServer) -> str:
    return f"http://127.0.0.1:{server.server_port}"


def test_llama_servers_own_turn_has_its_end_marker_again(scripted: ScriptedServer, replaying: Conditions) -> None:
    turn = replaying.recorded.turns[0]
    ended = {"content": "so [FINAL_ANSWER]Yes.", "stopping_word": "[END_OF_FINAL_ANSWER]", "stop_type": "word"}
    scripted.said = {**ended, "tokens": [5, 6], "timings": {"prompt_n": 10}}
    said = ServerBackend(address(scripted), replaying.model, 4096, None).complete(turn.prompt, Sampling())
    assert (said.text, said.finish) == ("so [FINAL_ANSWER]Yes.[END_OF_FINAL_ANSWER]", "stop")
    assert (said.prompt_tokens - said.cached_tokens, said.completion_tokens) == (10, 2)
    assert scripted.sent[0]["prompt"] == list(turn.ids)
    assert scripted.sent[0]["temperature"] == 0


def test_llama_server_must_write_as_much_as_was_recorded(scripted: ScriptedServer, replaying: Conditions) -> None:
    turn = replaying.recorded.turns[0]
    backend = ServerBackend(address(scripted), replaying.model, 4096, Reciting(replaying.recorded))
    scripted.said = {"tokens_predicted": len(turn.wrote), "timings": {"prompt_n": 10}}
    said = backend.complete(turn.prompt, Sampling())
    assert (said.text, said.token_ids) == (turn.text, turn.wrote)
    assert (scripted.sent[0]["n_predict"], scripted.sent[0]["ignore_eos"]) == (len(turn.wrote), True)
    scripted.said["tokens_predicted"] -= 1
    with pytest.raises(BackendError, match="instead of"):
        backend.complete(turn.prompt, Sampling())


def test_a_server_that_does_not_start_is_reported(tmp_path: Path) -> None:
    program = tmp_path / "llama-server"
    program.write_text("#!/bin/sh\necho no such model\nexit 1\n", encoding="utf-8")
    program.chmod(0o755)
    with pytest.raises(BackendError, match="no such model"), serving(program, tmp_path / "model.gguf", 512, 1, 1):
        pass


def test_what_runs_apart_returns_raises_or_dies() -> None:
    assert apart(os.getpid) != os.getpid()
    with pytest.raises(BackendError, match="ValueError: invalid literal"):
        apart(int, "no")
    with pytest.raises(BackendError, match="UsageError: 301 students are not possible"):
        apart(questions, 301, 1)
    with pytest.raises(BackendError, match="died"):
        apart(os._exit, 3)


def test_rows_are_as_long_as_their_heads_and_compare_with_the_engine() -> None:
    assert rate_row(PLAIN, ENGINE)[:5] == ("plain", "6.0", "4.00", "–", "–")
    assert rate_row(ENGINE, ENGINE)[:5] == ("engine", "24.0", "1.00", "8", "1.00")
    assert reads_row(ENGINE)[5:] == ("1.050", "50", "1.107")
    assert len(rate_row(PLAIN, ENGINE)) == len(RATES)
    assert len(reads_row(PLAIN)) == len(READS)


def test_a_figure_is_markdown_and_the_same_as_json(
    random_model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    figure = Figure("Rate", line(random_model, 1), ("a", "b"), [("1", "2")], [{"a": 1}], ["A note."])
    figure.show(tmp_path / "rate.json")
    printed = capsys.readouterr().out
    assert "| a | b |\n| --- | --- |\n| 1 | 2 |\n\nA note." in printed
    assert f"tiny.gguf ({random_model.stat().st_size / 1e6:.0f} MB" in printed
    assert json.loads((tmp_path / "rate.json").read_text(encoding="utf-8"))["numbers"] == [{"a": 1}]
