"""The editor."""

from collections.abc import Iterator
from contextlib import contextmanager

from editor.edits import Group, Insert


class Editor:
    """A text, the edits that made it, and those that were undone; the last one stands at the end."""

    def __init__(self) -> None:
        self.text = ""
        self.done: list[Insert | Group] = []
        self.undone: list[Insert | Group] = []

    def run(self, edit: Insert | Group) -> None:
        """Apply an edit; what was undone before cannot be redone any more."""
        self.text = edit.apply(self.text)
        self.done.append(edit)
        self.undone.clear()

    def undo(self) -> None:
        """Take back the last edit; IndexError if there is none."""
        edit = self.done.pop()
        self.text = edit.revert(self.text)
        self.undone.append(edit)

    def redo(self) -> None:
        """Apply what was undone last; IndexError if there is nothing."""
        edit = self.undone.pop()
        self.text = edit.apply(self.text)
        self.done.append(edit)

    @contextmanager
    def group(self) -> "Iterator[Editor]":
        """Make one edit of all that are run inside; take them back if an exception leaves the block."""
        raise NotImplementedError
