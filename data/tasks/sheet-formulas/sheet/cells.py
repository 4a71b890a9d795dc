"""A sheet's cells and their values."""

from sheet.grid import cells_of


class Loop(Exception):
    """A cell needs its own value."""


def read_number(text: str) -> int:
    """The number that a text is, surrounding blanks aside; 0 if it is none."""
    try:
        return int(text)
    except ValueError:
        return 0


class Sheet:
    """Contents of cells by their names; what is not in it is blank."""

    def __init__(self, contents: dict[str, str]) -> None:
        self._contents = contents

    def content(self, cell: str) -> str:
        """What was typed into a cell, empty if nothing was."""
        return self._contents.get(cell, "")

    def value(self, cell: str) -> int:
        """The value of a cell; raise Loop if it needs itself."""
        return self.compute(cell, set())

    def compute(self, cell: str, above: set[str]) -> int:
        """The value of a cell that the cells above need; raise Loop if it needs one of them or itself."""
        raise NotImplementedError
