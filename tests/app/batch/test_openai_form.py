"""Requests as OpenAI's batches have them, and the responses to them."""

import json
from pathlib import Path
from typing import Any

import pytest

from app.cli import main
from scribe import records
from tests.app.batch.questions import lines, row, write
from tests.app.batch.scripted_reader import BAD, WRONG, ScriptedReader, answer_to, reading

IN, OUT = Path("in.jsonl"), Path("out.jsonl")
WHOSE = {"course": "mini", "student": "s001"}
Err = pytest.CaptureFixture[str]


def request(id: str = "r1", question: str = "Why so?", **body: Any) -> dict[str, Any]:
    filled = {"model": "any", "messages": [{"role": "user", "content": question}], "metadata": WHOSE} | body
    kept = {name: value for name, value in filled.items() if value is not None}
    return {"custom_id": id, "method": "POST", "url": "/v1/chat/completions", "body": kept}


def answer(*options: str) -> int:
    return main(["answer", str(IN), "--out", str(OUT), *options], reading(ScriptedReader()))


def test_a_request_is_answered_as_a_chat_completion() -> None:
    write(IN, [request()])
    assert answer() == 0
    (line,) = lines(OUT)
    assert list(line)[:4] == ["id", "custom_id", "response", "error"]
    assert (line["custom_id"], line["error"]) == ("r1", None)
    assert line["response"]["status_code"] == 200
    assert line["response"]["request_id"]
    body = line["response"]["body"]
    assert (body["object"], body["model"]) == ("chat.completion", "reader")
    assert body["choices"][0]["message"]["content"] == answer_to("Why so?")
    assert body["choices"][0]["finish_reason"] == "stop"
    assert body["usage"]["total_tokens"] == 107
    assert records.from_json(json.dumps(line["scribe"])).answer == answer_to("Why so?")


def test_what_was_not_supported_is_a_refusal_and_what_failed_is_an_error() -> None:
    write(IN, [request("r1", f"Why {WRONG}?"), request("r2", f"Why {BAD}?"), request("r3")])
    assert answer() == 3
    unfounded, failed, good = lines(OUT)
    message = unfounded["response"]["body"]["choices"][0]["message"]
    assert message["content"] is None
    assert message["refusal"].startswith("I could not put together an answer")
    assert failed["response"] is None
    assert failed["error"] == {"code": "BackendError", "message": "nobody answers there"}
    assert good["error"] is None
    assert answer("--retry-failed") == 3
    assert [line["custom_id"] for line in lines(OUT)] == ["r1", "r2", "r3"]


def test_earlier_messages_are_the_history_and_user_may_stand_for_the_student() -> None:
    messages = [
        {"role": "user", "content": "Why me?"},
        {"role": "assistant", "content": "Because."},
        {"role": "user", "content": [{"type": "text", "text": "Why "}, {"type": "text", "text": "so?"}]},
    ]
    write(IN, [request(messages=messages, metadata={"course": "mini"}, user="s002")])
    assert answer() == 0
    task = lines(OUT)[0]["scribe"]["task"]
    assert (task["student"], task["question"]) == ("s002", "Why so?")
    assert task["history"] == [{"question": "Why me?", "answer": "Because."}]


def test_rows_of_our_own_can_be_answered_in_that_form_too() -> None:
    write(IN, [row(1), row(2)])
    assert answer("--openai") == 0
    assert [line["custom_id"] for line in lines(OUT)] == ["q1", "q2"]
    assert answer("--openai") == 0


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"temperature": 0.7}, "temperature is 0.7, but this run's is 0.0"),
        ({"max_tokens": 5}, "max_tokens is 5, but this run's is 512"),
        ({"n": 2}, "n cannot be asked for"),
        ({"logit_bias": {"50256": -100}}, "logit_bias cannot be asked for"),
        ({"reasoning_effort": "high"}, "reasoning_effort cannot be asked for"),
        ({"tools": [{"type": "function"}]}, "tools cannot be asked for"),
        ({"metadata": None}, "body.metadata is missing"),
        ({"metadata": {"course": "mini"}}, "student is missing"),
        ({"metadata": WHOSE | {"student": "s077"}}, "has no student 's077'"),
        ({"messages": None}, "body.messages is missing"),
        ({"messages": []}, "the messages must be user and assistant in turn"),
        ({"messages": [{"role": "user", "content": "Why?"}, {"role": "assistant", "content": "So."}]}, "in turn"),
        (
            {"messages": [{"role": "system", "content": "Be rude."}]},
            "body.messages.0.role: Input",
        ),
        ({"messages": [{"role": "user", "content": [{"type": "image_url"}]}]}, "body.messages.0.content."),
    ],
)
def test_what_would_be_left_undone_in_silence_is_refused(capsys: Err, body: dict[str, Any], said: str) -> None:
    write(IN, [request(), request("r2", **body)])
    assert answer() == 2
    told = capsys.readouterr().err
    assert "in.jsonl:2: " in told
    assert said in told
    assert not OUT.exists()


def test_parameters_that_this_run_has_anyway_are_fine() -> None:
    drawn: dict[str, Any] = {"temperature": 0, "top_p": 1, "seed": 0}
    write(IN, [request(**drawn, max_tokens=4096, n=1, stream=False, stop=None)])
    assert answer() == 0


@pytest.mark.parametrize("change", [{"url": "/v1/embeddings"}, {"method": "GET"}, {"body": None}, {"custom_id": None}])
def test_other_requests_are_refused(capsys: Err, change: dict[str, Any]) -> None:
    other = {name: value for name, value in (request("r2") | change).items() if value is not None}
    write(IN, [request(), other])
    assert answer() == 2
    assert "in.jsonl:2: " in capsys.readouterr().err


def test_a_request_that_names_two_students_is_refused(capsys: Err) -> None:
    write(IN, [request(user="s002", metadata=WHOSE), request("r2", user="s001", metadata=WHOSE)])
    assert answer() == 2
    assert "in.jsonl:1: user is 's002' and metadata.student 's001'; name one" in capsys.readouterr().err
    assert not OUT.exists()
