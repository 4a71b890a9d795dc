"""The kinds of feedback that questions are after, and which intents belong to each."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from scribe.errors import UsageError

OUTSIDE = "outside"
"""The category of what is to be declined; nobody asks for it by default in the same number as for the others."""


@dataclass(frozen=True, slots=True)
class Category:
    """id: as questions carry it. after: what such a question wants to know. intents: with their weights."""

    id: str
    name: str
    after: str
    intents: Mapping[str, int]


@cache
def categories() -> Mapping[str, Category]:
    """All categories by id."""
    content = tomllib.loads(files(__package__).joinpath("categories.toml").read_text(encoding="utf-8"))
    return {id: Category(id, **values) for id, values in content.items()}


def named(ids: Sequence[str]) -> tuple[Category, ...]:
    """The categories with these ids. Raises UsageError for one that does not exist."""
    unknown = [id for id in ids if id not in categories()]
    if unknown:
        raise UsageError(f"there is no category {unknown[0]!r}; there are: {', '.join(categories())}")
    return tuple(categories()[id] for id in ids)


@cache
def category_of(intent: str) -> str:
    """The id of the category that an intent belongs to. Raises KeyError for an intent of none."""
    return {intent: each.id for each in categories().values() for intent in each.intents}[intent]
