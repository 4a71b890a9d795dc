"""A judge behind an OpenAI-compatible address: one request, one reply, no retries of its own."""

import ipaddress
import os
import time
import weakref
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import httpx

from eval.judge.prompt import Messages
from scribe.errors import TransientError, UsageError
from scribe.plumbing.http import KEY_VARIABLE, chat_url, error_of


@dataclass(frozen=True, slots=True)
class Sampling:
    """How a judge is asked; fields named in `leave_out` are not sent, for endpoints that refuse them."""

    temperature: float = 0.0
    max_tokens: int = 2048
    leave_out: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reply:
    """What an endpoint said. `thought`: reasoning that it sent apart. `model`: what it says that it ran."""

    text: str
    thought: str
    cut_off: bool
    model: str
    prompt_tokens: int
    completion_tokens: int
    seconds: float = 0.0


class Endpoint:
    """An address and a model there; threads may ask at once. The key comes from SCRIBE_API_KEY.

    timeout: seconds without a byte. Raises UsageError for what is no address.
    """

    def __init__(self, base_url: str, model: str, sampling: Sampling = Sampling(), timeout: float = 180.0) -> None:
        _refuse_no_address(base_url)
        self.url = chat_url(base_url)
        self.model = model
        self.sampling = sampling
        key = os.environ.get(KEY_VARIABLE, "")
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        limits = httpx.Limits(max_connections=None, max_keepalive_connections=64)
        self._client = httpx.Client(timeout=httpx.Timeout(timeout, connect=10.0), headers=headers, limits=limits)
        weakref.finalize(self, self._client.close)

    @property
    def identity(self) -> Mapping[str, Any]:
        """What a judgement depends on besides the request's text: another value asks anew."""
        unsaid = "temperature" in self.sampling.leave_out  # then it is the endpoint's own, which is another
        return {"url": self.url, "model": self.model, "temperature": None if unsaid else self.sampling.temperature}

    def body(self, messages: Messages, seed: int, longer: int = 1) -> dict[str, Any]:
        """The request. seed: another for each repeat and try. longer: how many times the usual room for the reply."""
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

    def ask(self, body: Mapping[str, Any]) -> Reply:
        """Send one request. Raises TransientError if asking again may help, BackendError if not."""
        began = time.perf_counter()
        try:
            response = self._client.post(self.url, json=body)
        except httpx.RequestError as error:
            reason = f"{type(error).__name__}: {error}"
            raise TransientError(f"{self.url} did not answer ({reason}); is it running?") from error
        if response.status_code != httpx.codes.OK:
            raise error_of(response, self.model)
        try:
            content = response.json()
        except (ValueError, RecursionError) as error:
            shown = response.text[:80]
            raise TransientError(f"{self.url} answered with something else than JSON: {shown!r}") from error
        return reply(content, round(time.perf_counter() - began, 3))


def reply(content: Any, seconds: float = 0.0) -> Reply:
    """The reply in a chat completion. Raises TransientError if it is none."""
    try:
        choice, usage = content["choices"][0], content.get("usage") or {}
        message = choice["message"]
        text, thought = message.get("content") or "", message.get("reasoning_content") or message.get("reasoning") or ""
        tokens = int(usage.get("prompt_tokens") or 0), int(usage.get("completion_tokens") or 0)
        cut = choice.get("finish_reason") == "length"
        model = str(content.get("model") or "")
        return Reply(_whole(_text(text)), _whole(_text(thought)), cut, _whole(model), *tokens, seconds)
    except (KeyError, IndexError, TypeError, AttributeError, ValueError) as error:
        raise TransientError(f"the endpoint's reply is no chat completion: {str(content)[:200]}") from error


def _text(content: str | Sequence[Mapping[str, Any]]) -> str:
    """A message's text, which may come in parts."""
    return content if isinstance(content, str) else "".join(str(part.get("text") or "") for part in content)


def _refuse_no_address(base_url: str) -> None:
    try:
        url = httpx.URL(base_url)
        fine = url.scheme in ("http", "https") and bool(url.host)
    except httpx.InvalidURL:
        fine = False
    if not fine:
        raise UsageError(f"{base_url!r} is no address; write it with its scheme, such as http://127.0.0.1:8000/v1")


def _whole(text: str) -> str:
    """The text without halves of characters, which a reply cut off in an emoji has and no file can hold."""
    return text.encode("utf-8", "replace").decode()


def is_near(base_url: str) -> bool:
    """Whether an address is this machine or in a private network, as far as can be told without asking anyone."""
    host = httpx.URL(base_url).host
    try:
        address = ipaddress.ip_address(host)
        return (getattr(address, "ipv4_mapped", None) or address).is_private
    except ValueError:
        return host == "localhost" or host.endswith((".localhost", ".local", ".internal"))
