"""From a text to tokens."""

from collections.abc import Iterator

from calc.tokens import KINDS, Token


class UnknownCharacter(Exception):
    """A sum does not contain such a character."""


def read_tokens(text: str) -> Iterator[Token]:
    """The tokens of a sum, one after another; raise UnknownCharacter at a character that is none."""
    raise NotImplementedError
