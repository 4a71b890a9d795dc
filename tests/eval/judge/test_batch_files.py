"""Open items as an OpenAI batch, and its responses back."""

import json
from pathlib import Path
from typing import Any

import pytest

from eval.judge.asking import JudgeEndpoint
from eval.judge.batch_files import read_responses, write_requests
from eval.judge.judgement import digest_answer
from scribe.plumbing.errors import RecordError, UsageError
from tests.eval.judge.answered import items, record
from tests.eval.judge.scripted_judge import MODEL, make_completion

ENDPOINT = JudgeEndpoint("http://127.0.0.1:1", "some-judge")


def response(id: str, text: str, status: int = 200, finish: str = "stop") -> dict[str, Any]:
    body = make_completion(text, finish)
    return {"id": "batch_req_1", "custom_id": id, "response": {"status_code": status, "body": body}, "error": None}


def written(path: Path, *lines: object) -> Path:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def test_a_request_line_holds_what_would_have_been_asked(tmp_path: Path) -> None:
    wanted = items([record()], ENDPOINT, ("relevance", "language"), repeats=2)
    paths = write_requests(wanted, ENDPOINT, tmp_path / "requests.jsonl")
    lines = [json.loads(line) for line in paths[0].read_text().splitlines()]
    assert [line["custom_id"] for line in lines] == [item.fingerprint for item in wanted]
    assert all(len(line["custom_id"]) <= 64 for line in lines)
    assert {(line["method"], line["url"]) for line in lines} == {("POST", "/v1/chat/completions")}
    assert lines[0]["body"]["messages"] == wanted[0].messages
    assert lines[0]["body"]["seed"] != lines[1]["body"]["seed"]


def test_too_many_requests_for_one_file_go_to_several(tmp_path: Path) -> None:
    wanted = items([record()], ENDPOINT, repeats=5)
    paths = write_requests(wanted, ENDPOINT, tmp_path / "requests.jsonl", most=2)
    assert [path.name for path in paths] == ["requests.jsonl", "requests-2.jsonl", "requests-3.jsonl"]
    assert sum(len(path.read_text().splitlines()) for path in paths) == 5


def test_what_is_no_file_of_requests_is_not_overwritten(tmp_path: Path) -> None:
    wanted = items([record()], ENDPOINT)
    path = written(tmp_path / "answers.jsonl", {"id": "q1"})
    with pytest.raises(UsageError, match="another --batch-out"):
        write_requests(wanted, ENDPOINT, path)
    write_requests(wanted, ENDPOINT, tmp_path / "requests.jsonl")
    assert write_requests(wanted, ENDPOINT, tmp_path / "requests.jsonl")


def test_responses_in_any_order_are_judgements_of_their_items(tmp_path: Path) -> None:
    first, second = items([record()], ENDPOINT, repeats=2)
    path = written(
        tmp_path / "out.jsonl",
        response(second.fingerprint, "So.\nFINAL DECISION: NO"),
        response(first.fingerprint, "So.\nFINAL DECISION: YES"),
    )
    found = read_responses([path], [first, second], ENDPOINT)
    assert {(each.repeat, each.verdict) for each in found.judgements} == {(0, "yes"), (1, "no")}
    assert {each.endpoint_model for each in found.judgements} == {MODEL}
    assert {each.of for each in found.judgements} == {digest_answer(record())}


def test_what_failed_was_cut_off_or_is_not_ours_is_told_apart(tmp_path: Path) -> None:
    first, second, third = items([record()], ENDPOINT, repeats=3)
    path = written(
        tmp_path / "out.jsonl",
        response(first.fingerprint, "too many", status=429),
        response(second.fingerprint, "So.\nFINAL DECISION: YES", finish="length"),
        response("somebody-elses", "So.\nFINAL DECISION: YES"),
        {"custom_id": third.fingerprint, "response": None, "error": {"code": "batch_expired"}},
    )
    found = read_responses([path], [first, second, third], ENDPOINT)
    assert (found.failed, found.strange) == (2, 1)
    assert f"{path}:1" in found.trouble
    assert [each.verdict for each in found.judgements] == ["unparsed"]


@pytest.mark.parametrize("line", ["{", "[1]", '{"id": 1}'])
def test_what_is_no_response_is_named_by_file_and_line(tmp_path: Path, line: str) -> None:
    path = tmp_path / "out.jsonl"
    path.write_text(f"\n{line}\n")
    with pytest.raises(RecordError, match=r"out\.jsonl:2"):
        read_responses([path], [], ENDPOINT)
