"""A judge behind an OpenAI-compatible address: one item to its judgement, no faster than allowed."""

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from eval.judge.items import JudgeItem
from eval.judge.judgement import Judgement
from eval.judge.prompt import Messages
from eval.judge.verdict import ParsedVerdict, parse_verdict
from scribe.plumbing.errors import TransientError, UsageError
from scribe.plumbing.http import LONGEST_PAUSE, ChatClient, retry

READINGS = 3
"""Times that a judge is asked whose verdict cannot be read."""
TICK = 0.2
"""Seconds after which a wait looks whether it was stopped."""

Stopped = Callable[[], bool]


LEFT_OUT = ("seed", "temperature", "max_tokens")
"""Fields of a request that some endpoints refuse."""


@dataclass(frozen=True, slots=True)
class JudgeSampling:
    """How a judge is asked; fields named in `leave_out` are not sent, for endpoints that refuse them."""

    temperature: float = 0.0
    max_tokens: int = 2048
    leave_out: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class JudgeReply:
    """What an endpoint said. `thought`: reasoning that it sent apart. `model`: what it says that it ran."""

    text: str
    thought: str
    cut_off: bool
    model: str
    prompt_tokens: int
    completion_tokens: int
    seconds: float = 0.0


class JudgeEndpoint:
    """An address and a model there; threads may ask at once. The key comes from SCRIBE_API_KEY.

    timeout: seconds without a byte. Raises UsageError for what is no address, or a field that no request has.
    """

    def __init__(
        self, base_url: str, model: str, sampling: JudgeSampling = JudgeSampling(), timeout: float = 180.0
    ) -> None:
        if unknown := sorted(set(sampling.leave_out) - set(LEFT_OUT)):
            raise UsageError(f"a request has no field {unknown[0]!r} to leave out; it has {', '.join(LEFT_OUT)}")
        self.model = model
        self.sampling = sampling
        self._client = ChatClient(base_url, model, timeout=timeout)

    @property
    def identity(self) -> Mapping[str, Any]:
        """What a judgement depends on besides the request's text: another value asks anew."""
        unsaid = "temperature" in self.sampling.leave_out  # then it is the endpoint's own, which is another
        temperature = None if unsaid else self.sampling.temperature
        return {"url": self._client.url, "model": self.model, "temperature": temperature}

    def make_body(self, messages: Messages, seed: int, longer: int = 1) -> dict[str, Any]:
        """Make a request. seed: another for each repeat and try. longer: times the usual room for the reply."""
        fields = {
            "model": self.model,
            "messages": messages,
            "temperature": self.sampling.temperature,
            "seed": seed,
            "max_tokens": self.sampling.max_tokens * longer,
        }
        if "max_tokens" in self.sampling.leave_out:  # what newer hosted models call it
            fields["max_completion_tokens"] = fields["max_tokens"]
        return {name: value for name, value in fields.items() if name not in self.sampling.leave_out}

    def ask(self, body: Mapping[str, Any]) -> JudgeReply:
        """Send one request. Raises TransientError if asking again may help, BackendError if not."""
        began = time.perf_counter()
        completion = self._client.post(body)
        return parse_reply(completion, round(time.perf_counter() - began, 3))


def parse_reply(completion: Any, seconds: float = 0.0) -> JudgeReply:
    """Read the reply in a chat completion. Raises TransientError if it is none."""
    try:
        choice, usage = completion["choices"][0], completion.get("usage") or {}
        message = choice["message"]
        thought = message.get("reasoning_content") or message.get("reasoning") or ""
        return JudgeReply(
            _to_text(message.get("content") or ""),
            _to_text(thought),
            choice.get("finish_reason") == "length",
            _to_text(str(completion.get("model") or "")),
            int(usage.get("prompt_tokens") or 0),
            int(usage.get("completion_tokens") or 0),
            seconds,
        )
    except (KeyError, IndexError, TypeError, AttributeError, ValueError) as error:
        raise TransientError(f"the endpoint's reply is no chat completion: {str(completion)[:200]}") from error


def _to_text(content: str | Sequence[Mapping[str, Any]]) -> str:
    """A message's text, which may come in parts.

    Halves of characters are replaced, which a reply cut off in an emoji has and no file can hold.
    """
    text = content if isinstance(content, str) else "".join(str(part.get("text") or "") for part in content)
    return text.encode("utf-8", "replace").decode()


@dataclass(slots=True)
class RateLimit:
    """How fast requests go out, for all threads together. requests, tokens: the most in a minute, 0 for no limit.

    Both are spread evenly: after a request, the next may go when its share of the minute is over.
    """

    requests: float = 0.0
    tokens: float = 0.0
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    _next: float = 0.0
    _held: float = 0.0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def enter(self, tokens: float, stopped: Stopped) -> bool:
        """Wait for the turn of a request of about so many tokens. False if `stopped` before it came."""
        shares = [60 * amount / limit for amount, limit in ((1, self.requests), (tokens, self.tokens)) if limit]
        with self._lock:
            turn = max(self._next, self.clock())
            self._next = turn + max(shares, default=0.0)
        while not stopped():
            # The others' turns are not taken back when the server asks for a pause, so it is looked at again.
            left = max(turn, self._held) - self.clock()
            if left <= 0:
                return True
            self.sleep(min(left, TICK))
        return False

    def hold(self, seconds: float) -> None:
        """Let nobody through for so many seconds."""
        with self._lock:
            self._held = max(self._held, self.clock() + seconds)

    def wait(self, seconds: float, stopped: Stopped) -> None:
        """Wait so long, or until `stopped`."""
        end = self.clock() + seconds
        while not stopped() and (left := end - self.clock()) > 0:
            self.sleep(min(left, TICK))


@dataclass(frozen=True, slots=True)
class EndpointJudge:
    """Asks one endpoint at a limited rate until a verdict can be read or that is given up.

    retries: of one request; pause: seconds before the first, then doubled.
    """

    endpoint: JudgeEndpoint
    limit: RateLimit
    retries: int = 5
    pause: float = 1.0

    def judge(self, item: JudgeItem, stopped: Stopped) -> Judgement | None:
        """Make the judgement, `unparsed` if no reply could be read; None if `stopped`.

        Raises TransientError if the endpoint stays in trouble, and BackendError for what asking again cannot change.
        """
        replies: list[JudgeReply] = []
        parsed = ParsedVerdict("unparsed", "")
        for reading in range(READINGS):
            # A reply that was cut off needs room; all others another seed, or some servers say the same again.
            longer = 2 ** sum(reply.cut_off for reply in replies)
            reply = self._ask(item, item.repeat * READINGS + reading, longer, stopped)
            if reply is None:
                return None
            replies.append(reply)
            parsed = parse_verdict(reply.text, item.rubric.decision, reply.thought, reply.cut_off)
            if parsed.verdict != "unparsed":
                break
        return make_judgement(item, self.endpoint.model, parsed, replies)

    def _ask(self, item: JudgeItem, seed: int, longer: int, stopped: Stopped) -> JudgeReply | None:
        body = self.endpoint.make_body(item.messages, seed, longer)

        def ask() -> JudgeReply | None:
            try:
                return self.endpoint.ask(body) if self.limit.enter(item.prompt_tokens, stopped) else None
            except TransientError as problem:
                self.limit.hold(min(problem.after, LONGEST_PAUSE))  # all wait as long as the server asks for
                raise

        return retry(ask, self.retries, self.pause, wait=lambda seconds: self.limit.wait(seconds, stopped))


def make_judgement(item: JudgeItem, judge: str, parsed: ParsedVerdict, replies: Sequence[JudgeReply]) -> Judgement:
    """Make the judgement of the last reply, with what all of them took."""
    return Judgement(
        answer=item.case.record.id,
        run=item.case.run,
        criterion=item.rubric.id,
        judge=judge,
        endpoint_model=replies[-1].model,
        repeat=item.repeat,
        verdict=parsed.verdict,
        reasoning=f"{parsed.reasoning}\n({parsed.why})" if parsed.why else parsed.reasoning,
        seconds=round(sum(reply.seconds for reply in replies), 3),
        prompt_tokens=sum(reply.prompt_tokens for reply in replies),
        completion_tokens=sum(reply.completion_tokens for reply in replies),
        fingerprint=item.fingerprint,
        of=item.of,
    )
