"""People by their names."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Person:
    """Somebody and the parents, as far as they are known."""

    name: str
    mother: str | None = None
    father: str | None = None


def tidy_name(name: str) -> str:
    """A name with single blanks and capitals where names have them: ` ada  KING` becomes `Ada King`."""
    return " ".join(part.capitalize() for part in name.split())
