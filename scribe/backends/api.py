"""Any server that speaks OpenAI's chat completions: llama-server, vLLM, or a hosted model.

The one backend that may leave the machine; nothing but the configuration chooses it. The server applies
its own chat template and knows no constraint, so the loop's checks are all there is.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import httpx

from scribe.backend import Completion, Constraint, Finish, OnText, Sampling
from scribe.decoding.turn import ENDS, TurnText
from scribe.messages import END_OF_FINAL_ANSWER, END_OF_TOOL_CALL, FINAL_ANSWER, OPENER, TOOL_CALL, Message
from scribe.plumbing.errors import TransientError
from scribe.plumbing.http import ChatClient, retry

TOOL_RESULT = "[TOOL_RESULT]"


class ApiBackend:
    """A chat model behind HTTP, see `ChatClient`. pause: seconds before the first of three retries, doubled each time.

    extra: further fields of the request; None leaves one out that a server refuses, as `seed` or `stop`.
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
        self._client = ChatClient(base_url, model, api_key, timeout)
        self._pause = pause
        self._extra = dict(extra or {})
        self._reported = ""

    @property
    def info(self) -> Mapping[str, str]:
        """`reported` is what the server last called the model it ran; an alias may be moved under us."""
        reported = {"reported": self._reported} if self._reported else {}
        return {"backend": "api", "name": self._client.model, "url": self._client.url, **reported}

    def complete(
        self,
        prompt: Sequence[Message],
        sampling: Sampling,
        constraint: Constraint | None = None,
        on_text: OnText | None = None,
        owner: str = "",
    ) -> Completion:
        """The model's next turn. The constraint is not enforced here; the loop checks the turn."""
        turn, body = TurnText(on_text), self._write_body(prompt, sampling, on_text is not None)
        finish, reply = retry(
            lambda: self._send(body, turn), pause=self._pause, may_retry=lambda problem: _may_retry(problem, turn)
        )
        finish = finish or ("length" if reply["finish"] == "length" else _close(turn))
        self._reported = reply["model"]
        usage = reply["usage"]
        details = usage.get("prompt_tokens_details") or {}
        counts = usage.get("prompt_tokens"), details.get("cached_tokens"), usage.get("completion_tokens")
        read, cached, written = (int(count or 0) for count in counts)
        return Completion(turn.text, finish, read, cached, written)

    def _write_body(self, prompt: Sequence[Message], sampling: Sampling, stream: bool) -> dict[str, Any]:
        body: dict[str, Any] = {
            "model": self._client.model,
            "messages": write_chat(prompt),
            "temperature": sampling.temperature,
            "top_p": sampling.top_p,
            "seed": sampling.seed,
            "max_tokens": sampling.max_tokens,
            "stop": list(ENDS),
        }
        if stream:
            body |= {"stream": True, "stream_options": {"include_usage": True}}
        return {name: value for name, value in (body | self._extra).items() if value is not None}

    def _send(self, body: dict[str, Any], turn: TurnText) -> tuple[Finish | None, dict[str, Any]]:
        """Send one request: why the turn was over before the server's text was, if it was, and what else it said."""
        reply: dict[str, Any] = {"finish": "stop", "usage": {}, "model": ""}
        for piece in _strip_opener(_read_texts(self._client.stream(body), reply)):
            if finish := turn.add(piece):
                return finish, reply
        return None, reply


def write_chat(prompt: Sequence[Message]) -> list[dict[str, str]]:
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


def _may_retry(problem: TransientError, turn: TurnText) -> bool:
    """Whether to ask again: what was shown cannot be taken back, and nobody waits for a second timeout."""
    return not turn.text and not isinstance(problem.__cause__, httpx.ReadTimeout | ValueError)


def _close(turn: TurnText) -> Finish:
    """Put back the end marker, which servers cut off as a stop string."""
    call, answer = turn.text.rfind(TOOL_CALL), turn.text.rfind(FINAL_ANSWER)
    if call < 0 and answer < 0:
        return "stop"
    return turn.add(END_OF_TOOL_CALL if call > answer else END_OF_FINAL_ANSWER) or "stop"


def _read_texts(chunks: Iterator[Mapping[str, Any]], reply: dict[str, Any]) -> Iterator[str]:
    """The text of each chunk; what else a chunk says is noted in `reply`."""
    for chunk in chunks:
        reply["model"] = chunk.get("model") or reply["model"]
        reply["usage"] = chunk.get("usage") or reply["usage"]
        for choice in chunk.get("choices", [])[:1]:
            reply["finish"] = choice.get("finish_reason") or reply["finish"]
            yield (choice.get("delta") or choice.get("message") or {}).get("content") or ""


def _strip_opener(pieces: Iterator[str]) -> Iterator[str]:
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
