"""OpenAI's batch form: a request line as the fields of a row, and a line of ours as a response line.

A request is {"custom_id", "method": "POST", "url": "/v1/chat/completions", "body"}. Whose question it is stands in the
body's "metadata": {"course", "student"}, and "theory" if wanted; "user" may stand for the student. The messages are
user and assistant in turn, a user's last; those before are the history. A system message is refused, since Scribe
writes its own, and so is whatever asks for an answer of another kind than this run gives: it would be left undone in
silence. `model` may say anything; the response says which model answered.

A response line has OpenAI's keys, and under "scribe" the line of a file that is not in this form. A question without
a supported answer is a refusal of the assistant, with the words that a student would read; one that failed has no
response but an error.
"""

import uuid
from collections.abc import Mapping
from typing import Any

from app.batch.result import RowResult
from app.batch.rows import Note
from app.dialogue.wording import explain_ending
from scribe.trajectory import Stop
from tools.assembly.settings import AnswerSettings

URL = "/v1/chat/completions"
_PLAIN: dict[str, tuple[Any, ...]] = {
    "n": (1,),
    "stream": (False,),
    "logprobs": (False,),
    "tools": ([],),
    "functions": ([],),
    "stop": ([],),
    "response_format": ({"type": "text"},),
    "presence_penalty": (0,),
    "frequency_penalty": (0,),
    "logit_bias": ({},),
    "top_logprobs": (0,),
    "store": (False,),
}
"""Parameters that ask for another kind of answer, and the values with which they do not. None always is one."""
_DRAWING = ("temperature", "top_p", "seed")
_LENGTHS = ("max_tokens", "max_completion_tokens")
_READ = ("model", "messages", "metadata", "user", *_DRAWING, *_LENGTHS)


def read_request(line: Mapping[str, Any], answer: AnswerSettings, note: Note) -> dict[str, Any] | None:
    """The fields of the row that this request means, or None after noting why it means none."""
    body = line.get("body")
    wrong = [*_check_envelope(line), *(_check_parameters(body, answer) if isinstance(body, dict) else [])]
    said = _read_messages(body.get("messages")) if isinstance(body, dict) else None
    if isinstance(said, str):
        wrong.append(said)
    for each in wrong:
        note(each)
    if wrong or not isinstance(body, dict) or said is None or isinstance(said, str):
        return None
    whose = body["metadata"]
    known = {"course": whose.get("course"), "student": whose.get("student", body.get("user"))}
    history = [{"question": asked, "answer": told} for asked, told in zip(said[:-1:2], said[1::2], strict=True)]
    theory = {"theory": whose["theory"]} if "theory" in whose else {}
    return {"id": line["custom_id"], **known, "question": said[-1], "history": history, **theory}


def _check_envelope(line: Mapping[str, Any]) -> list[str]:
    """What is wrong around the body."""
    wrong = [] if "custom_id" in line else ["custom_id is missing, which the other lines have"]
    if line.get("method") != "POST" or line.get("url") != URL:
        wrong.append(f"only method POST and url {URL} can be answered, not {line.get('method')} {line.get('url')}")
    body = line.get("body")
    if not isinstance(body, dict):
        wrong.append("body is missing, or is no JSON object")
    elif not isinstance(whose := body.get("metadata"), dict) or "course" not in whose:
        wrong.append('metadata must hold {"course": …, "student": …}')
    return wrong


def _check_parameters(body: Mapping[str, Any], answer: AnswerSettings) -> list[str]:
    """What the request asks for and this run does not do."""
    wrong = [
        f"{name} cannot be asked for; leave it out"
        for name, plain in _PLAIN.items()
        if body.get(name) is not None and body[name] not in plain
    ]
    unknown = [name for name in body if name not in _PLAIN and name not in _READ]
    wrong += [f"{name} is nothing that can be asked for here; leave it out" for name in unknown]
    wrong += [
        f"{name} is {body[name]!r:.20}, but this run has {getattr(answer, name)}; change the run's or leave it out"
        for name in _DRAWING
        if body.get(name) is not None and body[name] != getattr(answer, name)
    ]
    for name in _LENGTHS:
        longest = body.get(name)
        if longest is not None and not (isinstance(longest, int) and longest >= answer.max_tokens):
            wrong.append(f"{name} is {longest!r:.20}, but this run's turns may have {answer.max_tokens}; leave it out")
    return wrong


def _read_messages(messages: Any) -> list[str] | str:
    """What was said in turn, a user's question first and last; or what is wrong with the messages."""
    if not isinstance(messages, list) or not all(isinstance(each, dict) for each in messages):
        return 'messages is missing, or is no list of {"role", "content"}'
    roles = [each.get("role") for each in messages]
    if {"system", "developer"} & {role for role in roles if isinstance(role, str)}:
        return "a system message cannot be used, since Scribe writes its own; leave it out"
    odd = len(roles) | 1  # an even number of messages ends with an answer, and then the lists differ
    if roles != ["user" if place % 2 == 0 else "assistant" for place in range(odd)]:
        return "the messages must be user and assistant in turn, beginning and ending with a user's"
    texts = [_text(each.get("content")) for each in messages]
    blank = next((place for place, text in enumerate(texts, start=1) if text is None), 0)
    return f"message {blank} has no text" if blank else [text for text in texts if text is not None]


def _text(content: Any) -> str | None:
    """A message's text, which may come in parts."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else [None]
    texts = [part.get("text") if isinstance(part, dict) and part.get("type") == "text" else None for part in parts]
    return "".join(texts) if texts and all(isinstance(text, str) for text in texts) else None  # type: ignore[arg-type]


def make_response(result: RowResult, line: Mapping[str, Any], created: int) -> dict[str, Any]:
    """The response line for a result; `line` is what a file of our own form would hold, created: Unix seconds."""
    request = f"batch_req_{uuid.uuid4().hex}"
    failed = result.error is not None
    return {
        "id": request,
        "custom_id": result.record.id,
        "response": None if failed else _make_body(result, request, created),
        "error": {"code": result.error.type, "message": result.error.message} if result.error else None,
        "scribe": dict(line),
    }


def _make_body(result: RowResult, request: str, created: int) -> dict[str, Any]:
    usage = result.record.usage
    body = {
        "id": f"chatcmpl-{uuid.uuid4().hex}",
        "object": "chat.completion",
        "created": created,
        "model": result.record.model.get("name", ""),
        "choices": [_make_choice(result)],
        "usage": {
            "prompt_tokens": usage.prompt_tokens,
            "completion_tokens": usage.completion_tokens,
            "total_tokens": usage.prompt_tokens + usage.completion_tokens,
            "prompt_tokens_details": {"cached_tokens": usage.cached_tokens},
        },
    }
    return {"status_code": 200, "request_id": request, "body": body}


def _make_choice(result: RowResult) -> dict[str, Any]:
    record = result.record
    refusal = None if record.answer is not None else explain_ending(record.trajectory)
    message = {"role": "assistant", "content": record.answer, "refusal": refusal}
    finish = "length" if record.stop is Stop.CONTEXT_FULL else "stop"
    return {"index": 0, "message": message, "logprobs": None, "finish_reason": finish}
