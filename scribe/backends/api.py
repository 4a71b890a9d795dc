"""Any server that speaks OpenAI's chat completions: llama-server, vLLM, or a hosted model.

The one backend that may leave the machine; nothing but the configuration chooses it. The server applies
its own chat template and knows no constraint, so the loop's checks are all there is.
"""

import json
import os
import re
import time
import weakref
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import httpx

from scribe.backend import Completion, Constraint, Finish, OnText, Sampling
from scribe.decoding.turn import ENDS, TurnText
from scribe.errors import BackendError, ContextFull
from scribe.messages import END_OF_FINAL_ANSWER, END_OF_TOOL_CALL, FINAL_ANSWER, OPENER, TOOL_CALL, Message

KEY_VARIABLE = "SCRIBE_API_KEY"
TOOL_RESULT = "[TOOL_RESULT]"
RETRIES = 3
_LONGEST_PAUSE = 30.0


class Passing(BackendError):
    """A problem that may pass; `after` is how many seconds the server asked us to wait."""

    def __init__(self, message: str, after: float = 0.0) -> None:
        super().__init__(message)
        self.after = after


class Unaccepted(BackendError):
    """The server takes requests, but not this one: its text, or a field that it does not know."""


@dataclass(slots=True)
class _Reply:
    """What a reply says besides its text."""

    finish: str = "stop"
    usage: Mapping[str, Any] = field(default_factory=dict)
    model: str = ""


class ApiBackend:
    """A chat model behind HTTP.

    base_url: as OpenAI's clients take it, for example http://127.0.0.1:8080/v1. api_key: from the
    environment variable SCRIBE_API_KEY if not given. timeout: seconds without a byte from the server.
    pause: seconds before the first of three retries, doubled each time. extra: further fields of the
    request; None leaves a field out, for servers that refuse `seed`, `stop` or `stream_options`.
    """

    def __init__(
        self,
        base_url: str,
        model: str,
        api_key: str | None = None,
        timeout: float = 120.0,
        pause: float = 1.0,
        extra: Mapping[str, Any] | None = None,
    ) -> None:
        self.url = chat_url(base_url)
        self.model = model
        self._pause = pause
        self._extra = dict(extra or {})
        self._reported = ""
        key = api_key if api_key is not None else os.environ.get(KEY_VARIABLE, "")
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._client = httpx.Client(timeout=httpx.Timeout(timeout, connect=10.0), headers=headers)
        weakref.finalize(self, self._client.close)

    @property
    def info(self) -> Mapping[str, str]:
        """`reported` is what the server last called the model it ran; an alias may be moved under us."""
        reported = {"reported": self._reported} if self._reported else {}
        return {"backend": "api", "name": self.model, "url": self.url, **reported}

    def complete(
        self,
        prompt: Sequence[Message],
        sampling: Sampling,
        constraint: Constraint | None = None,
        on_text: OnText | None = None,
        owner: str = "",
    ) -> Completion:
        """The model's next turn. The constraint is not enforced here; the loop checks the turn."""
        turn = TurnText(on_text)
        finish, reply = self._with_retries(self._body(prompt, sampling, on_text is not None), turn)
        self._reported = reply.model
        if finish is None:
            finish = "length" if reply.finish == "length" else _closed(turn)
        details = reply.usage.get("prompt_tokens_details") or {}
        return Completion(
            turn.text,
            finish,
            int(reply.usage.get("prompt_tokens") or 0),
            int(details.get("cached_tokens") or 0),
            int(reply.usage.get("completion_tokens") or 0),
        )

    def _body(self, prompt: Sequence[Message], sampling: Sampling, stream: bool) -> dict[str, Any]:
        body: dict[str, Any] = {
            "model": self.model,
            "messages": chat_messages(prompt),
            "temperature": sampling.temperature,
            "top_p": sampling.top_p,
            "seed": sampling.seed,
            "max_tokens": sampling.max_tokens,
            "stop": list(ENDS),
        }
        if stream:
            body |= {"stream": True, "stream_options": {"include_usage": True}}
        return {name: value for name, value in (body | self._extra).items() if value is not None}

    def _with_retries(self, body: dict[str, Any], turn: TurnText) -> tuple[Finish | None, _Reply]:
        """Send until it works, unless text has been shown already: that cannot be taken back."""
        for retry in range(RETRIES):
            try:
                return self._send(body, turn)
            except Passing as problem:
                if turn.text:
                    raise
                time.sleep(min(max(self._pause * 2**retry, problem.after), _LONGEST_PAUSE))
        return self._send(body, turn)

    def _send(self, body: dict[str, Any], turn: TurnText) -> tuple[Finish | None, _Reply]:
        """One request. Says why the turn was over before the server's text was, if it was."""
        try:
            with self._client.stream("POST", self.url, json=body) as response:
                if response.status_code != httpx.codes.OK:
                    response.read()
                    raise refusal(response, self.model)
                reply = _Reply()
                chunks = _streamed(response) if body.get("stream") else _whole(response)
                for piece in _after_opener(_texts(chunks, reply)):
                    if finish := turn.add(piece):
                        return finish, reply
                return None, reply
        except httpx.ReadTimeout as error:
            raise BackendError(f"{self.url} did not answer in time; set a longer timeout") from error
        except httpx.TransportError as error:
            raise Passing(f"{self.url} cannot be reached ({error}); is the server running?") from error


def chat_url(base_url: str) -> str:
    """Where chat completions are asked for, of an address as OpenAI's clients take it."""
    base = base_url.rstrip("/")
    return f"{base}{'' if httpx.URL(base).path.strip('/') else '/v1'}/chat/completions"


def chat_messages(prompt: Sequence[Message]) -> list[dict[str, str]]:
    """Our messages in the roles that every server takes.

    A tool's result goes as a marked user message: hosted models refuse the role "tool" without a call id
    from their own call format, and our calls are text. Neighbours of one role are joined, because the
    templates of several open models raise an error unless user and assistant alternate.
    """
    chat: list[dict[str, str]] = []
    for message in prompt:
        role = "user" if message.role == "tool" else message.role
        text = message.content
        if message.role == "tool":
            text = f"{TOOL_RESULT}{text}"
        elif message.role == "user":  # nobody can pass a sentence off as a tool's result
            text = text.replace(TOOL_RESULT, "(TOOL_RESULT)")
        if chat and chat[-1]["role"] == role:
            chat[-1]["content"] += f"\n\n{text}"
        else:
            chat.append({"role": role, "content": text})
    return chat


def _closed(turn: TurnText) -> Finish:
    """Put back the end marker, which servers cut off as a stop string."""
    call, answer = turn.text.rfind(TOOL_CALL), turn.text.rfind(FINAL_ANSWER)
    if call < 0 and answer < 0:
        return "stop"
    return turn.add(END_OF_TOOL_CALL if call > answer else END_OF_FINAL_ANSWER) or "stop"


def _streamed(response: httpx.Response) -> Iterator[Mapping[str, Any]]:
    """The chunks of a server-sent event stream."""
    for line in response.iter_lines():
        data = line.removeprefix("data:").strip()
        if line.startswith("data:") and data != "[DONE]":
            yield _read(data)


def _whole(response: httpx.Response) -> Iterator[Mapping[str, Any]]:
    """The one chunk of a reply that was not streamed."""
    response.read()
    yield _read(response.text)


def _read(data: str) -> Mapping[str, Any]:
    try:
        chunk = json.loads(data)
    except ValueError as error:
        raise BackendError(f"the server answered with something else than JSON: {data[:80]!r}") from error
    if not isinstance(chunk, dict) or chunk.get("error"):
        raise BackendError(f"the server broke off: {data[:200]}")
    return chunk


def _texts(chunks: Iterator[Mapping[str, Any]], reply: _Reply) -> Iterator[str]:
    """The text of each chunk; what else a chunk says is noted in `reply`."""
    for chunk in chunks:
        reply.model = chunk.get("model") or reply.model
        reply.usage = chunk.get("usage") or reply.usage
        for choice in chunk.get("choices", [])[:1]:
            reply.finish = choice.get("finish_reason") or reply.finish
            yield (choice.get("delta") or choice.get("message") or {}).get("content") or ""


def _after_opener(pieces: Iterator[str]) -> Iterator[str]:
    """The text without the opener, which these models write themselves because no turn is opened for them."""
    held = ""
    for piece in pieces:
        held += piece
        if OPENER.startswith(held.lstrip()):
            continue
        yield held.lstrip().removeprefix(OPENER) if held.lstrip().startswith(OPENER) else held
        yield from pieces
        return
    if held.lstrip() != OPENER:
        yield held


def refusal(response: httpx.Response, model: str) -> BackendError:
    """The error that a status other than 200 means.

    `Passing` if asking again may help, `ContextFull` or `Unaccepted` if another request may fare better.
    """
    status, text = response.status_code, " ".join(response.text.split())[:300]
    if status == httpx.codes.TOO_MANY_REQUESTS or status >= 500:
        return Passing(f"the server is busy or broken (HTTP {status}): {text}", _asked_to_wait(response))
    if status in (httpx.codes.UNAUTHORIZED, httpx.codes.FORBIDDEN):
        return BackendError(f"the server refused the API key (HTTP {status}); set {KEY_VARIABLE}")
    if status == httpx.codes.NOT_FOUND:
        return BackendError(f"no model {model} at {response.url} (HTTP 404); check both: {text}")
    if re.search(r"context.{0,12}(length|size)|too long", text, re.IGNORECASE):
        numbers = [int(number) for number in re.findall(r"\d{3,}", text)] or [0]
        most = max(numbers)
        return ContextFull(most, next((number for number in numbers if number < most), most))
    return Unaccepted(f"the server did not accept the request (HTTP {status}): {text}")


def _asked_to_wait(response: httpx.Response) -> float:
    try:
        return float(response.headers.get("Retry-After", 0))
    except ValueError:  # a date; our own pause will do
        return 0.0
