"""OpenAI's batch form: a request line as the fields of a row, and a line of ours as a response line.

Whose question it is stands in the body's "metadata"; "user" may stand for the student. Earlier messages are the
history. Whatever asks for an answer of another kind than this run gives is refused: it would be left undone in
silence. A response has under "scribe" the line of a file that is not in this form. A question without a supported
answer is a refusal of the assistant, with the words that a student would read; one that failed has but an error.
"""

import uuid
from collections.abc import Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, TypeAdapter

from app.batch.result import RowResult
from app.batch.rows import Note, validate
from app.dialogue.wording import explain_ending
from scribe.trajectory import Stop
from tools.assembly.settings import AnswerSettings

_PLAIN = {"n": 1, "response_format": {"type": "text"}}
"""What other parameters may be besides nothing without asking for another kind of answer than this run gives."""


class _TextPart(BaseModel):
    type: Literal["text"]
    text: str


class _ChatTurn(BaseModel):
    role: Literal["user", "assistant"]
    content: str | list[_TextPart]

    @property
    def text(self) -> str:
        return self.content if isinstance(self.content, str) else "".join(part.text for part in self.content)


class _Whose(BaseModel):
    course: str
    student: str | None = None
    theory: str | None = None


class _RequestBody(BaseModel):
    model_config = ConfigDict(extra="allow")
    model: Any = None
    messages: list[_ChatTurn]
    metadata: _Whose
    user: str | None = None
    temperature: float | None = None
    top_p: float | None = None
    seed: int | None = None
    max_tokens: int | None = None
    max_completion_tokens: int | None = None


class _BatchRequest(BaseModel):
    custom_id: str | int
    method: Literal["POST"]
    url: Literal["/v1/chat/completions"]
    body: _RequestBody


_REQUESTS = TypeAdapter(_BatchRequest)


def read_request(line: Mapping[str, Any], answer: AnswerSettings, note: Note) -> dict[str, Any] | None:
    """The fields of the row that this request means, or None after noting why it means none."""
    request = validate(_REQUESTS, line, note)
    if request is None:
        return None
    body = request.body
    others = (body.model_extra or {}).items()
    wrong = [f"{name} cannot be asked for; leave it out" for name, what in others if what and what != _PLAIN.get(name)]
    wrong += _compare_drawing(body, answer)
    if body.user and body.metadata.student and body.user.strip() != body.metadata.student.strip():
        wrong.append(f"user is {body.user!r:.40} and metadata.student {body.metadata.student!r:.40}; name one student")
    said = [turn.text for turn in body.messages]
    if [turn.role for turn in body.messages] != [("user", "assistant")[place % 2] for place in range(len(said) | 1)]:
        wrong.append("the messages must be user and assistant in turn, beginning and ending with a user's")
    for each in wrong:
        note(each)
    if wrong:
        return None
    history = [{"question": asked, "answer": told} for asked, told in zip(said[:-1:2], said[1::2], strict=True)]
    whose = {"student": body.user, **body.metadata.model_dump(exclude_none=True)}
    return {"id": request.custom_id, **whose, "question": said[-1], "history": history}


def _compare_drawing(body: _RequestBody, answer: AnswerSettings) -> list[str]:
    same = ("temperature", "top_p", "seed")
    asked = {name: getattr(body, name) for name in (*same, "max_tokens", "max_completion_tokens")}
    ours = {name: getattr(answer, name) if name in same else answer.max_tokens for name in asked}
    return [
        f"{name} is {value}, but this run's is {ours[name]}; change the run's or leave it out"
        for name, value in asked.items()
        if value is not None and (value != ours[name] if name in same else value < ours[name])
    ]


def make_response(result: RowResult, line: Mapping[str, Any], created: int) -> dict[str, Any]:
    """The response line for a result; `line` is what a file of our own form would hold, created: Unix seconds."""
    request = f"batch_req_{uuid.uuid4().hex}"
    error = {"code": result.error["type"], "message": result.error["message"]} if result.error else None
    response = None if error else {"status_code": 200, "request_id": request, "body": _make_body(result, created)}
    return {"id": request, "custom_id": result.record.id, "response": response, "error": error, "scribe": dict(line)}


def _make_body(result: RowResult, created: int) -> dict[str, Any]:
    record, usage = result.record, result.record.usage
    refusal = None if record.answer is not None else explain_ending(record.trajectory)
    message = {"role": "assistant", "content": record.answer, "refusal": refusal}
    finish = "length" if record.stop is Stop.CONTEXT_FULL else "stop"
    return {
        "id": f"chatcmpl-{uuid.uuid4().hex}",
        "object": "chat.completion",
        "created": created,
        "model": record.model.get("name", ""),
        "choices": [{"index": 0, "message": message, "logprobs": None, "finish_reason": finish}],
        "usage": {
            "prompt_tokens": usage.prompt_tokens,
            "completion_tokens": usage.completion_tokens,
            "total_tokens": usage.prompt_tokens + usage.completion_tokens,
            "prompt_tokens_details": {"cached_tokens": usage.cached_tokens},
        },
    }
