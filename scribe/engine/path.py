"""The tokens of a request, and which of them may serve whom."""

from dataclasses import dataclass

import numpy as np

from scribe.backends.chat import Prompt
from scribe.engine.context import Ids


@dataclass(frozen=True, slots=True, eq=False)
class Path:
    """Tokens as somebody's request had them.

    ids: (n,) the prompt's, and perhaps what was written behind it. public: how many of the first are nobody's text.
    ends: where messages end. owner: whose text the others are; empty if that is not known.
    """

    ids: Ids
    public: int
    ends: tuple[int, ...]
    owner: str

    @classmethod
    def of(cls, prompt: Prompt, owner: str) -> "Path":
        return cls(np.array(prompt.ids, dtype=np.int32), prompt.public, prompt.ends, owner)

    def first(self, count: int) -> "Path":
        """The path of its first tokens."""
        return Path(self.ids[:count], min(self.public, count), self.ends, self.owner)

    @property
    def keepable(self) -> int:
        """How many of the first tokens may be kept for later: all, unless nobody knows whose they are."""
        return len(self.ids) if self.owner else self.public

    def common(self, other: "Path") -> int:
        """How many of this one's first tokens may serve the other: the same ones, and of the same owner or nobody's."""
        reach = len(self.ids) if self.owner == other.owner != "" else min(self.public, other.public)
        return common(self.ids[:reach], other.ids[:reach])

    def owner_at(self, position: int) -> str | None:
        """Whose the token at this position is; None: nobody's."""
        return None if position < self.public else self.owner

    def next_cut(self, start: int) -> int:
        """Where what begins here ends: with nobody's text, with the message, or with the path."""
        return min(cut for cut in (self.public, *self.ends, len(self.ids)) if cut > start)


def common(one: Ids, other: Ids) -> int:
    """Length of the common prefix of (n,) and (m,)."""
    most = min(len(one), len(other))
    different = one[:most] != other[:most]
    at = int(different.argmax()) if most else 0
    return at if most and different[at] else most
