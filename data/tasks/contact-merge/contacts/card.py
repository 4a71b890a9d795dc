"""Cards of a contact book."""

from dataclasses import dataclass, field
from datetime import date


@dataclass
class Card:
    """One person; phones are written as somebody typed them."""

    name: str
    changed: date
    phones: list[str] = field(default_factory=list)
    tags: set[str] = field(default_factory=set)

    def copy(self) -> "Card":
        """An equal card with a list and a set of its own."""
        return Card(self.name, self.changed, list(self.phones), set(self.tags))
