"""Names of cells."""

import re

NAME = re.compile(r"([A-Z])([1-9][0-9]*)")


def cells_of(term: str) -> list[str]:
    """The cells that a term of a formula names: one for `B2`, six for `A1:B3`, none for `12`."""
    corners = [NAME.fullmatch(corner.strip()) for corner in term.split(":")]
    if None in corners:
        return []
    first, last = corners[0], corners[-1]
    columns = range(ord(first[1]), ord(last[1]) + 1)
    rows = range(int(first[2]), int(last[2]) + 1)
    return [f"{chr(column)}{row}" for column in columns for row in rows]
