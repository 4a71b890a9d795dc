"""What a batch left behind is looked at so that what is lost, there twice or wrong is seen."""

import json
from pathlib import Path
from typing import Any

import pytest

from eval.bench.killed import Found, Kills, found, lines
from eval.bench.scripted_server import answer_to, serving
from scribe.backend import Sampling
from scribe.backends.api import ApiBackend
from scribe.dialect import Final, MarkerDialect
from scribe.errors import RecordError
from scribe.messages import Message

ROWS = [{"id": f"q{n}", "course": "dsp", "student": f"s{n}", "question": f"Why {n}?"} for n in range(3)]


def kept(row: dict[str, str], **changes: Any) -> dict[str, Any]:
    """A line as a batch writes it, of this row, as far as it is looked at."""
    task = {"course": row["course"], "student": row["student"], "question": row["question"], "report": "r"}
    line = {"id": row["id"], "task": task, "steps": [], "stop": "answered", "usage": {}}
    return {**line, "answer": answer_to(row["question"]), "status": "ok", **changes}


def written(path: Path, *kept_lines: dict[str, Any], rest: str = "") -> Path:
    path.write_text("".join(f"{json.dumps(line)}\n" for line in kept_lines) + rest)
    return path


def looked_at(path: Path) -> Found:
    return found(path, ROWS, lambda question, answer: answer == answer_to(question), Kills(2, 1, 0), 0, 1.0)


def test_a_file_with_each_row_once_is_good(tmp_path: Path) -> None:
    path = written(tmp_path / "out", *map(kept, ROWS))
    assert lines(path) == (3, False)
    assert looked_at(path).good
    assert looked_at(path).row()[:8] == ["2", "1", "0", "3", "0", "0", "0", "3"]


def test_what_is_lost_twice_or_another_rows_is_named(tmp_path: Path) -> None:
    other = kept(ROWS[1], answer=answer_to(ROWS[0]["question"]))
    seen = looked_at(written(tmp_path / "out", kept(ROWS[0]), kept(ROWS[0]), other))
    assert (seen.lost, seen.twice, seen.wrong) == (("q2",), ("q0",), ("q1",))
    assert not seen.good


OTHERS = {**kept(ROWS[1])["task"], "student": "s0"}


@pytest.mark.parametrize("change", [{"status": "error"}, {"id": "q9"}, {"task": OTHERS}])
def test_a_line_that_does_not_answer_its_row_is_wrong(tmp_path: Path, change: dict[str, Any]) -> None:
    seen = looked_at(written(tmp_path / "out", kept(ROWS[0]), kept(ROWS[1], **change), kept(ROWS[2])))
    assert seen.wrong == (change.get("id", "q1"),)
    assert not seen.good


def test_half_a_line_at_the_end_is_borne_and_a_whole_one_that_is_no_record_is_not(tmp_path: Path) -> None:
    assert lines(tmp_path / "none") == (0, False)
    assert lines(written(tmp_path / "torn", kept(ROWS[0]), rest='{"id": "q1')) == (1, True)
    with pytest.raises(RecordError, match="cut:2: not a readable record"):
        lines(written(tmp_path / "cut", kept(ROWS[0]), rest='{"id": "q1\n'))
    with pytest.raises(RecordError, match="odd:2"):
        lines(written(tmp_path / "odd", kept(ROWS[0]), {"id": "q1"}))


def test_the_scripted_model_answers_each_question_in_its_own_way_and_counts() -> None:
    with serving(delay=0.0) as server:
        backend = ApiBackend(server.url, "scripted", pause=0.0)
        heard: list[str] = []
        for question in ("Why so?", "Why not?"):
            said = backend.complete([Message("user", question)], Sampling(), on_text=heard.append)
            assert MarkerDialect().read(said.text) == Final("Enough.", answer_to(question))
        assert server.asked == 2
        assert len(heard) >= 2
    assert answer_to("Why so?") != answer_to("Why not?")
