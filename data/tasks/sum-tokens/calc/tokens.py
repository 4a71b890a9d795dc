"""Tokens."""

from dataclasses import dataclass

KINDS = {"+": "operator", "-": "operator", "*": "operator", "/": "operator", "(": "open", ")": "close"}
"""The kind of each character that is a token by itself."""


@dataclass(frozen=True)
class Token:
    """The smallest part of a sum that means something, and the place where it begins."""

    kind: str
    value: int | str
    place: int

    @property
    def ends_operand(self) -> bool:
        """Whether an operand is complete with this token: a number, or something in parentheses."""
        return self.kind in {"number", "close"}
