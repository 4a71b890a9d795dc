"""Where the time of a step goes: the parts of an agent, each beside a clock. For one thread."""

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from scribe.backend import Backend, Completion, Constraint, OnText, Sampling
from scribe.dialect import Dialect, Reading
from scribe.messages import Message
from scribe.streaming import Check
from scribe.tool import Tool
from scribe.trajectory import Trajectory
from tools.embedding.embedders import Embedder, Role, Vectors


@dataclass(slots=True)
class Clock:
    """Seconds by part, since they were taken last. A part inside another counts for both."""

    seconds: Counter[str] = field(default_factory=Counter)

    @contextmanager
    def on(self, part: str) -> Iterator[None]:
        """What is done meanwhile is of this part."""
        began = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[part] += time.perf_counter() - began  # type: ignore[assignment]  # typeshed knows only int

    def taken(self) -> Mapping[str, float]:
        """The seconds of each part; they count from 0 again."""
        seconds, self.seconds = self.seconds, Counter()
        return seconds


@dataclass(frozen=True, slots=True)
class ClockedBackend:
    """`model`: from the prompt to the whole turn. `screen`: inside it, what listens to the turn while it is written."""

    backend: Backend
    clock: Clock

    @property
    def info(self) -> Mapping[str, str]:
        return self.backend.info

    def complete(
        self,
        prompt: Sequence[Message],
        sampling: Sampling,
        constraint: Constraint | None = None,
        on_text: OnText | None = None,
        owner: str = "",
    ) -> Completion:
        def heard(piece: str) -> bool | None:
            with self.clock.on("screen"):
                return on_text(piece) if on_text is not None else None

        with self.clock.on("model"):
            return self.backend.complete(prompt, sampling, constraint, heard, owner)


@dataclass(frozen=True, slots=True)
class ClockedDialect:
    """`parsing`: the turn's text to calls or an answer."""

    dialect: Dialect
    clock: Clock

    def read(self, text: str) -> Reading:
        with self.clock.on("parsing"):
            return self.dialect.read(text)


@dataclass(frozen=True, slots=True)
class ClockedEmbedder:
    """`embedding`: texts to vectors, inside `tools`, of what is searched for."""

    embedder: Embedder
    clock: Clock

    @property
    def fingerprint(self) -> str:
        return self.embedder.fingerprint

    @property
    def languages(self) -> tuple[str, ...]:
        return self.embedder.languages

    def embed(self, texts: Sequence[str], role: Role = "document") -> Vectors:
        with self.clock.on("embedding"):
            return self.embedder.embed(texts, role)


def clocked_tool(tool: Tool, clock: Clock) -> Tool:
    """`tools`: the tool with its arguments checked, not the bookkeeping around it."""

    def run(**arguments: Any) -> Mapping[str, Any]:
        with clock.on("tools"):
            return tool.run(**arguments)

    return Tool(tool.name, tool.description, tool.parameters, run)


def clocked_check(check: Check, clock: Clock) -> Callable[[Trajectory, str], Sequence[str]]:
    """`grounding`: an answer held against its sources."""

    def checked(trajectory: Trajectory, answer: str) -> Sequence[str]:
        with clock.on("grounding"):
            return check(trajectory, answer)

    return checked
