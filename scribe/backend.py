"""The seam to a language model: the protocol, and what goes in and out."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from scribe.messages import Message
from scribe.plumbing.errors import UsageError

Finish = Literal["stop", "length", "circle", "unsure", "cancelled"]
"""Why a turn ended. circle: the model wrote the same over and over. unsure: before a digit it was not certain of."""
Branch = Literal["call", "answer"]
OnText = Callable[[str], bool | None]
"""Called with each new piece of text; returning False cancels the completion. While there is nothing new it may
be called with an empty piece, so that a caller can cancel also then."""


@dataclass(frozen=True, slots=True)
class Sampling:
    """How to draw tokens. Temperature 0 is greedy; the same seed gives the same text. Raises UsageError.

    certainty: a turn ends before a digit that the model holds for less likely than this, in models of this process.
    """

    temperature: float = 0.0
    top_p: float = 1.0
    seed: int = 0
    max_tokens: int = 512
    certainty: float = 0.0

    def __post_init__(self) -> None:
        if self.max_tokens < 1:
            raise UsageError(f"{self.max_tokens} tokens are no answer; use max_tokens of at least 1")


@dataclass(frozen=True, slots=True)
class Constraint:
    """What a turn may be: which branches are open, and each tool's JSON schema of arguments.

    A backend that cannot enforce all this at decoding time may ignore it; the loop checks the branches again.
    begun: what the turn holds already behind the opener, where the prompt's last message is open. lines: what the
    reasoning may quote at its beginning (`scribe.quotes`).
    """

    tools: Mapping[str, Mapping[str, Any]]
    allow: frozenset[Branch] = frozenset({"call", "answer"})
    begun: str = ""
    lines: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Completion:
    """What the model wrote after the opener `[REASONING]`, for a `Dialect` to read; why it stopped; token counts.

    `cached_tokens` of the prompt were not read again; `queue_seconds` passed before the reading began. `token_ids` are
    the turn's, from models in this process; the last of them may reach beyond the text.
    """

    text: str
    finish: Finish = "stop"
    prompt_tokens: int = 0
    cached_tokens: int = 0
    completion_tokens: int = 0
    queue_seconds: float = 0.0
    token_ids: tuple[int, ...] = ()


class Backend(Protocol):
    """A language model that continues an assistant turn opened with `scribe.messages.OPENER`."""

    @property
    def info(self) -> Mapping[str, str]:
        """What identifies the model in a record: backend, name, hash where known."""
        ...

    def complete(
        self,
        prompt: Sequence[Message],
        sampling: Sampling,
        constraint: Constraint | None = None,
        on_text: OnText | None = None,
        owner: str = "",
    ) -> Completion:
        """The model's next turn. Raises ContextFull or another BackendError, never for bad text.

        owner: whose text the prompt holds beyond its public part (`Message.public`). What was read for one owner
        is never used for another; without a name it is used for nobody.
        """
        ...
