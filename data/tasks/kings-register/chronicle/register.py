"""The register of kings."""

from chronicle.numerals import VALUES, is_numeral


def sort_kings(entries: list[str]) -> list[str]:
    """The entries by name, and for one name by number."""
    raise NotImplementedError
