import json
import logging
import signal
import sqlite3
import threading

import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.testclient import TestClient

from app.campus.operations import ChatMetrics, JsonLines, OperationPages, PatientServer
from app.store.database import open_database
from app.web.line import LineFull, WaitingLine
from app.web.serving import configure, find_free_port


@pytest.fixture
def line() -> WaitingLine:
    return WaitingLine(1, 1)


def make_client(line: WaitingLine, address: str, word: bytes | None, peer: str = "127.0.0.1") -> TestClient:
    metrics = ChatMetrics(line)
    metrics.note_answer("dsp", "answered", 1.5)
    metrics.note_refusal("minute")
    pages = OperationPages(open_database(address), metrics, word)
    return TestClient(Starlette(routes=pages.routes()), client=(peer, 1))


def test_metrics_tell_what_happened_to_this_machine_alone(line: WaitingLine, tmp_path: object) -> None:
    address = f"{tmp_path}/a.db"
    with line.place():
        told = make_client(line, address, None).get("/metrics").text
    assert 'scribe_questions_total{course="dsp",stop="answered"} 1.0' in told
    assert 'scribe_refused_total{why="minute"} 1.0' in told
    assert "scribe_line_length 1.0" in told
    assert make_client(line, address, None, "10.0.0.1").get("/metrics").status_code == 403
    forwarded = {"x-forwarded-for": "1.2.3.4"}
    assert make_client(line, address, None).get("/metrics", headers=forwarded).status_code == 403


def test_with_a_word_only_who_knows_it_reads_metrics(line: WaitingLine, tmp_path: object) -> None:
    client = make_client(line, f"{tmp_path}/a.db", b"w" * 40, "10.0.0.1")
    assert client.get("/metrics").status_code == 403
    assert client.get("/metrics", headers={"authorization": f"Bearer {'x' * 40}"}).status_code == 403
    assert client.get("/metrics", headers={"authorization": f"Bearer {'w' * 40}"}).status_code == 200


def test_health_is_that_of_the_database(line: WaitingLine, tmp_path: object) -> None:
    assert make_client(line, f"{tmp_path}/a.db", None).get("/healthz").status_code == 200
    broken = make_client(line, f"sqlite:///{tmp_path}/b.db?timeout=0.1", None)
    holder = sqlite3.connect(f"{tmp_path}/b.db", isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    assert broken.get("/healthz").status_code == 503
    holder.close()


def test_log_lines_are_json() -> None:
    record = logging.LogRecord("app", logging.WARNING, "", 0, 'a "%s"\nline', ("b",), None)
    told = json.loads(JsonLines().format(record))
    assert (told["level"], told["where"], told["message"]) == ("warning", "app", 'a "b"\nline')


def test_told_to_end_it_lets_answers_finish_and_nobody_in(line: WaitingLine) -> None:
    port = find_free_port("127.0.0.1", 18500)
    config = configure(Starlette(), "127.0.0.1", port)
    assert isinstance(config, uvicorn.Config)
    server = PatientServer(config, line)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    with line.place():
        server.handle_exit(signal.SIGTERM, None)
        with pytest.raises(LineFull), line.place():
            pass
        thread.join(1.5)
        assert thread.is_alive()
    thread.join(60)
    assert not thread.is_alive()
