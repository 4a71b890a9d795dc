"""A session on disk, and what tests said as text."""

import json
from pathlib import Path

import pytest

from scribe.plumbing.errors import RecordError
from scribe.sandbox.result import CaseResult
from scribe.tutor.records import SavedSession, load_session, pack_turns, save_session
from scribe.tutor.results import read_results, write_results
from scribe.tutor.session import Candidate, StudentTurn, TokenUse, TutorTurn
from tests.scribe.tutor.lesson import BRIEF, SESSION


def test_a_session_comes_back_as_it_was(tmp_path: Path) -> None:
    said = TutorTurn("Why?", "lacks", (Candidate("Why?", 0.5), Candidate("How?")), {"start": 0.25}, TokenUse(3, 4))
    session = SESSION.then(said).then(StudentTurn("Because.", "x = 1", "test_a: passed"))
    saved = SavedSession(BRIEF, pack_turns(session), "traver", {"name": "m"}, 7, "x = 2")
    save_session(tmp_path / "s.json", saved)
    assert load_session(tmp_path / "s.json") == saved
    assert load_session(tmp_path / "s.json").session == session
    assert (tmp_path / "s.json").stat().st_mode & 0o077 == 0, "nobody else reads it"


@pytest.mark.parametrize("text", ["", "{", "[]", '{"version": 1}'])
def test_a_file_that_is_none_is_refused_by_name(tmp_path: Path, text: str) -> None:
    (tmp_path / "s.json").write_text(text, encoding="utf-8")
    with pytest.raises(RecordError, match=r"s\.json"):
        load_session(tmp_path / "s.json")


def test_another_version_is_refused(tmp_path: Path) -> None:
    save_session(tmp_path / "s.json", SavedSession(BRIEF, (), "vanilla", {}))
    data = json.loads((tmp_path / "s.json").read_text(encoding="utf-8"))
    (tmp_path / "s.json").write_text(json.dumps(data | {"version": 99}), encoding="utf-8")
    with pytest.raises(RecordError, match="version 99"):
        load_session(tmp_path / "s.json")


def test_what_tests_said_is_read_back_whatever_a_message_holds() -> None:
    cases = [
        CaseResult("test_a", "passed"),
        CaseResult("test_b", "failed", "1 == 2\ntest_a: failed"),
        CaseResult("test_c", "timeout"),
    ]
    text = write_results(cases)
    assert read_results(text) == {"test_a": True, "test_b": False, "test_c": False}
    assert "test_c: failed (timeout)" in text
