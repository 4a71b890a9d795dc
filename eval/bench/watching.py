"""A backend that notes when something comes, for one question from the moment it is made."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from scribe.agent import trusting
from scribe.backend import Backend, Completion, Constraint, OnText, Sampling
from scribe.messages import Message
from scribe.streaming import AnswerStream
from scribe.trajectory import Task, Trajectory


@dataclass(frozen=True, slots=True)
class Seen:
    """Seconds until the first text and the first sentence of an answer; tokens read of the first prompt."""

    token: float
    visible: float | None
    read: int


@dataclass(slots=True)
class Watching:
    """Passes everything on, and looks at the clock."""

    backend: Backend
    began: float = field(default_factory=time.perf_counter)
    token: float | None = None
    visible: float | None = None
    read: int | None = None

    @property
    def info(self) -> Mapping[str, str]:
        return self.backend.info

    def seen(self) -> Seen:
        """What came when. Raises ValueError if nothing did."""
        if self.token is None or self.read is None:
            raise ValueError("the model has not written anything")
        return Seen(self.token, self.visible, self.read)

    def complete(
        self,
        prompt: Sequence[Message],
        sampling: Sampling,
        constraint: Constraint | None = None,
        on_text: OnText | None = None,
        owner: str = "",
    ) -> Completion:
        stream = AnswerStream(trusting, Trajectory(Task("", "", "", "")), self._show)

        def heard(piece: str) -> bool:
            if piece and self.token is None:
                self.token = time.perf_counter() - self.began
            return stream(piece)

        said = self.backend.complete(prompt, sampling, constraint, heard, owner)
        if self.read is None:
            self.read = said.prompt_tokens - said.cached_tokens
        return said

    def _show(self, text: str) -> None:
        if self.visible is None:
            self.visible = time.perf_counter() - self.began
