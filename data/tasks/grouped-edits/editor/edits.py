"""What can be done to a text, and back."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Insert:
    """Some text that is put in at a place."""

    place: int
    text: str

    def apply(self, text: str) -> str:
        """The text with this edit; ValueError if it has no such place."""
        if self.place > len(text):
            raise ValueError(f"the text ends before {self.place}")
        return text[: self.place] + self.text + text[self.place :]

    def revert(self, text: str) -> str:
        """The text without this edit."""
        return text[: self.place] + text[self.place + len(self.text) :]


@dataclass(frozen=True)
class Group:
    """Several edits, one after the other, as one edit."""

    edits: "list[Insert | Group]"

    def apply(self, text: str) -> str:
        """The text with all edits."""
        for edit in self.edits:
            text = edit.apply(text)
        return text

    def revert(self, text: str) -> str:
        """The text without any of them: the last is reverted first."""
        for edit in reversed(self.edits):
            text = edit.revert(text)
        return text
