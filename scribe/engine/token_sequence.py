"""The tokens of a request, and which of them may serve whom."""

from dataclasses import dataclass

import numpy as np

from scribe.decoding.chat import Prompt
from scribe.gguf.context import Ids


@dataclass(frozen=True, slots=True, eq=False)
class TokenSequence:
    """Tokens as one request had them.

    ids: (n,) those of the prompt, and perhaps what was written behind it.
    public: how many of the first are the shared prefix, which holds nobody's text.
    ends: where messages end.
    owner: whose text the others are; empty if that is not known.
    """

    ids: Ids
    public: int
    ends: tuple[int, ...]
    owner: str

    @classmethod
    def from_prompt(cls, prompt: Prompt, owner: str) -> "TokenSequence":
        return cls(np.array(prompt.ids, dtype=np.int32), prompt.public, prompt.ends, owner)

    @property
    def cacheable(self) -> int:
        """How many of the first tokens may be kept for later: all, unless nobody knows whose they are."""
        return len(self.ids) if self.owner else self.public

    def count_shared(self, other: "TokenSequence") -> int:
        """How many of the first tokens may serve the other: the same ones, and of the same owner or public."""
        reach = len(self.ids) if self.owner == other.owner != "" else min(self.public, other.public)
        return count_common(self.ids[:reach], other.ids[:reach])

    def owner_at(self, position: int) -> str | None:
        """Whose the token at this position is; None in the shared prefix."""
        return None if position < self.public else self.owner

    def next_cut(self, start: int) -> int:
        """Where what begins here ends: with the shared prefix, with the message, or with the sequence."""
        return min(cut for cut in (self.public, *self.ends, len(self.ids)) if cut > start)


def count_common(one: Ids, other: Ids) -> int:
    """Length of the common prefix of (n,) and (m,)."""
    most = min(len(one), len(other))
    different = one[:most] != other[:most]
    at = int(different.argmax()) if most else 0
    return at if most and different[at] else most
