"""Filling in templates."""

from letters.filters import FILTERS


class MissingField(Exception):
    """A template has a placeholder for which there is no field."""


class BrokenTemplate(Exception):
    """A brace is opened and never closed."""


def fill(template: str, fields: dict[str, object]) -> str:
    """The template with each placeholder replaced; raise MissingField or BrokenTemplate if that cannot be."""
    raise NotImplementedError
