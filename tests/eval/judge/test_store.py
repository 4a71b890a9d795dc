"""The files around a run: answers in, judgements out, the cache, and the pace."""

import json
from pathlib import Path

import pytest

from eval.judge.asking import RateLimit
from eval.judge.items import name_runs, read_runs
from eval.judge.judgement import Judgement, Label, Verdict, read_judgements, read_labels, to_json
from eval.judge.store import Store, claim_output
from scribe import records
from scribe.plumbing.errors import RecordError, UsageError
from scribe.records import Record
from scribe.trajectory import Stop, Trajectory
from tests.eval.judge.answered import record


def made(answer: str = "q1", verdict: Verdict = "yes", fingerprint: str = "f") -> Judgement:
    return Judgement(answer, "run", "relevance", "j", "j-1", 0, verdict, "Sö.\u2028", 0.5, 100, 20, fingerprint, "0a")


def test_judgements_and_labels_are_read_as_they_were_written(tmp_path: Path) -> None:
    with claim_output(tmp_path / "j.jsonl") as write:
        write([made("a"), made("b", "unparsed")])
    assert list(read_judgements(tmp_path / "j.jsonl")) == [made("a"), made("b", "unparsed")]
    (tmp_path / "l.jsonl").write_text(to_json(Label("ann", "a", "relevance", True, "0a")) + "\n\n")
    assert list(read_labels(tmp_path / "l.jsonl")) == [Label("ann", "a", "relevance", True, "0a")]


@pytest.mark.parametrize("line", ["{", "{}", to_json(made()).replace('"yes"', '"maybe"'), "\xff"])
def test_a_line_that_is_no_judgement_is_named(tmp_path: Path, line: str) -> None:
    path = tmp_path / "j.jsonl"
    path.write_bytes(to_json(made()).encode() + b"\n" + line.encode("latin-1", "replace") + b"\n")
    with pytest.raises(RecordError, match=r"j\.jsonl:2"):
        list(read_judgements(path))


def test_a_file_of_something_else_is_not_overwritten(tmp_path: Path) -> None:
    records.write(tmp_path / "answers.jsonl", [record()])
    before = (tmp_path / "answers.jsonl").read_bytes()
    with pytest.raises(UsageError, match="something else than judgements"), claim_output(tmp_path / "answers.jsonl"):
        pass
    assert (tmp_path / "answers.jsonl").read_bytes() == before


def test_two_runs_cannot_write_the_same_file_and_the_old_one_stays_till_the_end(tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    with claim_output(path) as write:
        write([made("a")])
    with claim_output(path) as write:
        with pytest.raises(UsageError, match="another run"), claim_output(path):
            pass
        assert [each.answer for each in read_judgements(path)] == ["a"]
        write([made("b")])
    assert [each.answer for each in read_judgements(path)] == ["b"]
    assert [each.name for each in tmp_path.iterdir()] == ["j.jsonl"]


def test_the_first_verdict_stays_unless_it_could_not_be_read(tmp_path: Path) -> None:
    store = Store(tmp_path / "c.sqlite")
    store.put(made(verdict="unparsed"))
    assert store.known(["f", "g"]) == {"f"}
    assert store.known(["f", "g"], but_unparsed=True) == set()
    store.put(made(verdict="no"))
    store.put(made(verdict="yes"))
    found = store.get("f")
    assert found is not None
    assert found.verdict == "no"


def test_a_cache_that_is_none_is_said_so(tmp_path: Path) -> None:
    (tmp_path / "c.sqlite").write_bytes(b"something else entirely, and long enough to be read as a header" * 9)
    with pytest.raises(UsageError, match="another --cache"):
        Store(tmp_path / "c.sqlite")


def test_rows_without_an_answer_are_counted_and_not_judged(tmp_path: Path) -> None:
    silent = Record.of(Trajectory(record().task).ended(Stop.UNRESOLVED), "q2", {})
    records.write(tmp_path / "base.jsonl", [record(), silent])
    found = read_runs([tmp_path / "base.jsonl"])
    assert [(case.run, case.record.id) for case in found.cases] == [("base", "q1")]
    assert found.unanswered == {"base": 1}


def test_an_id_that_is_there_twice_is_refused(tmp_path: Path) -> None:
    records.write(tmp_path / "base.jsonl", [record(), record()])
    with pytest.raises(RecordError, match="'q1' is there twice"):
        read_runs([tmp_path / "base.jsonl"])


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ({"custom_id": "a", "response": {}, "scribe": {}}, "jq -c .scribe"),
        ({"custom_id": "a", "response": {"status_code": 200}}, "neither report nor steps"),
        ({"custom_id": "a", "method": "POST", "body": {}}, "let `scribe answer` answer"),
        ({"id": "a"}, "no answer with its steps"),
    ],
)
def test_answers_in_openais_form_are_refused_with_what_to_do(tmp_path: Path, line: object, complaint: str) -> None:
    (tmp_path / "base.jsonl").write_text("\n" + json.dumps(line) + "\n")
    with pytest.raises(RecordError, match=complaint) as raised:
        read_runs([tmp_path / "base.jsonl"])
    assert "base.jsonl:2" in str(raised.value)


def test_a_file_without_answers_is_refused(tmp_path: Path) -> None:
    (tmp_path / "base.jsonl").write_text("\n")
    with pytest.raises(RecordError, match="holds no answers"):
        read_runs([tmp_path / "base.jsonl"])


def test_runs_of_one_name_are_told_apart_by_their_folders() -> None:
    assert name_runs([Path("base.jsonl"), Path("tuned.jsonl")]) == ["base", "tuned"]
    assert name_runs([Path("a/out.jsonl"), Path("b/out.jsonl")]) == ["a/out", "b/out"]
    assert name_runs([Path("a.jsonl"), Path("a.json")]) == ["a.jsonl", "a.json"]
    with pytest.raises(UsageError, match="twice"):
        name_runs([Path("out.jsonl"), Path("./out.jsonl")])


class ScriptedClock:
    """Time that passes only by sleeping."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


@pytest.mark.parametrize(
    ("gate", "minutes"),
    [({"requests": 60.0}, 1.0), ({"tokens": 6000.0}, 2.0), ({"requests": 60.0, "tokens": 6000.0}, 2.0)],
)
def test_no_more_goes_out_in_a_minute_than_allowed(gate: dict[str, float], minutes: float) -> None:
    clock = ScriptedClock()
    through = RateLimit(gate.get("requests", 0.0), gate.get("tokens", 0.0), clock, clock.sleep)
    for _ in range(61):
        assert through.enter(200.0, lambda: False)
    assert clock.now - 100.0 == pytest.approx(60 * minutes, abs=1.0)


def test_a_pause_that_a_server_asks_for_holds_everybody() -> None:
    clock = ScriptedClock()
    gate = RateLimit(clock=clock, sleep=clock.sleep)
    gate.hold(30.0)
    gate.hold(5.0)
    assert gate.enter(1.0, lambda: False)
    assert clock.now == pytest.approx(130.0, abs=0.5)


def test_who_stops_does_not_wait_for_a_turn() -> None:
    gate = RateLimit()
    gate.hold(3600.0)
    assert not gate.enter(1.0, lambda: True)
