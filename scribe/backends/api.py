"""Any server that speaks OpenAI's chat completions: llama-server, vLLM, or a hosted model.

The one backend that may leave the machine; nothing but the configuration chooses it. The server applies
its own chat template and knows no constraint, so the loop's checks are all there is.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any

import httpx
from pydantic import BaseModel, BeforeValidator, Field, ValidationError

from scribe.backend import Completion, Constraint, Finish, OnText, Sampling
from scribe.decoding.turn import ENDS, TurnText
from scribe.lookalikes import replace_spelled
from scribe.messages import END_OF_FINAL_ANSWER, END_OF_TOOL_CALL, FINAL_ANSWER, OPENER, TOOL_CALL, Message
from scribe.plumbing.errors import BackendError, TransientError
from scribe.plumbing.http import ChatClient, retry

TOOL_RESULT = "[TOOL_RESULT]"
LETTERS = 24
"""Of a token at most, on average: a server that sends more than so many for each that it may does not keep to it."""
_CONTROL = re.compile(
    r"<(?=[|｜]|/?(?:s|bos|eos|pad|unk|mask|think|tools|tool_call|tool_response|(?:start|end)_of_turn)>"
    r"|<SYS>|</SYS>|extra_id_\d)"
    r"|\[(?=/?(?:INST|IMG|THINK|PREFIX|SUFFIX|MIDDLE|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_(?:CALLS|RESULTS|CONTENT))\])",
    re.IGNORECASE,
)
"""Where the control tokens of chat models begin, which many servers also read in a message's text."""
_RESULT = re.compile(r"\[\s*TOOL_RESULT\s*\]", re.IGNORECASE)


def _join_halves(text: str | None) -> str:
    """Text with the halves of characters joined, or replaced where the other half is missing: no file can hold one."""
    return (text or "").encode("utf-16", "surrogatepass").decode("utf-16", "replace")


ReplyText = Annotated[str, BeforeValidator(lambda text: _join_halves(text) if isinstance(text, str | None) else text)]
TokenCount = Annotated[int, Field(ge=0), BeforeValidator(lambda count: count or 0)]


class _ReplyPart(BaseModel):
    content: ReplyText = ""


class _ReplyChoice(BaseModel):
    delta: _ReplyPart | None = None
    message: _ReplyPart | None = None
    finish_reason: str | None = None


class _CachedTokens(BaseModel):
    cached_tokens: TokenCount = 0


class _ReplyUsage(BaseModel):
    prompt_tokens: TokenCount = 0
    completion_tokens: TokenCount = 0
    prompt_tokens_details: _CachedTokens | None = None


class _ReplyChunk(BaseModel):
    """A completion, or a piece of one, as far as it is read here."""

    model: ReplyText = ""
    usage: _ReplyUsage | None = None
    choices: list[_ReplyChoice] | None = None


@dataclass(slots=True)
class _ReplySummary:
    """What a server says of its reply besides the text. chose: whether there was a text at all, empty or not."""

    finish: str = "stop"
    usage: _ReplyUsage = field(default_factory=_ReplyUsage)
    model: str = ""
    chose: bool = False


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
        longest = LETTERS * sampling.max_tokens
        finish, reply = retry(
            lambda: self._send(body, turn, longest),
            pause=self._pause,
            may_retry=lambda problem: _may_retry(problem, turn),
        )
        finish = finish or ("length" if reply.finish == "length" else _close(turn))
        self._reported = reply.model
        usage, details = reply.usage, reply.usage.prompt_tokens_details or _CachedTokens()
        return Completion(turn.text, finish, usage.prompt_tokens, details.cached_tokens, usage.completion_tokens)

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

    def _send(self, body: dict[str, Any], turn: TurnText, longest: int) -> tuple[Finish | None, _ReplySummary]:
        """Send one request: why the turn was over before the server's text was, if it was, and what else it said."""
        reply = _ReplySummary()
        for piece in _strip_opener(_read_texts(self._client.stream(body), reply)):
            if finish := turn.add(piece):
                return finish, reply
            if len(turn.text) > longest:
                return "length", reply
        if not reply.chose:
            raise BackendError(f"{self._client.url} sent a completion without a choice")
        return None, reply


def write_chat(prompt: Sequence[Message]) -> list[dict[str, str]]:
    """Our messages in the roles that every server takes.

    A tool's result goes as a marked user message: hosted models refuse the role "tool" without a call id
    from their own call format, and our calls are text. Neighbours of one role are joined, because the
    templates of several open models raise an error unless user and assistant alternate. A blank parts what would
    be a control token. Whatever spells the mark of a tool's result is no mark, wherever it stands: nobody can pass a
    sentence off as one.
    """
    chat: list[dict[str, str]] = []
    for message in prompt:
        role = "user" if message.role == "tool" else message.role
        text = replace_spelled(_CONTROL, lambda begun: f"{begun} ", message.content)
        text = replace_spelled(_RESULT, lambda mark: f"({mark[1:-1].strip()})", text)
        if message.role == "tool":
            text = f"{TOOL_RESULT}{text}"
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


def _read_texts(chunks: Iterator[Mapping[str, Any]], reply: _ReplySummary) -> Iterator[str]:
    """The text of each chunk; what else a chunk says is noted in `reply`. Raises BackendError for what is none."""
    for content in chunks:
        try:
            chunk = _ReplyChunk.model_validate(content)
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(map(str, first["loc"]))
            raise BackendError(f"the server's reply is no chat completion: {where}: {first['msg']}") from error
        reply.model = chunk.model or reply.model
        reply.usage = chunk.usage or reply.usage
        for choice in (chunk.choices or [])[:1]:
            reply.chose = True
            reply.finish = choice.finish_reason or reply.finish
            yield (choice.delta or choice.message or _ReplyPart()).content


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
