"""Which entries are named in a query: their names stand in it word by word, in any inflected form."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from tools.search.words import LONGEST, Words


@dataclass(frozen=True)
class Names:
    """The names of each entry, in the entries' order."""

    names: tuple[tuple[str, ...], ...]
    words: Words

    def standing_in(self, query: str) -> dict[int, int]:
        """The places of the entries that are named, with the number of words of the longest name found."""
        asked = _line(self.words.stems(self.words.of(query)[:LONGEST]))
        found: dict[int, int] = {}
        for place, names in enumerate(self._stems):
            lengths = [len(name) for name in names if name and _line(name) in asked]
            if lengths:
                found[place] = max(lengths)
        return found

    @cached_property
    def _stems(self) -> list[list[list[str]]]:
        return [[self.words.stems(self.words.of(name)) for name in names] for names in self.names]


def _line(stems: Sequence[str]) -> str:
    return f" {' '.join(stems)} "
