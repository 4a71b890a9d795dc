"""The records of Moodle's CSV: which column stands where, and which lines make one record."""

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

import polars as pl

from data.events.batch import EventsError
from data.events.moodle_words import COLUMNS, SPARED, plain

SEPARATORS = (",", ";", "\t")
LONGEST_RECORD = 20
"""Lines that one record may take, for texts in it may hold line breaks."""
LONGEST_HEADER = 4000


@dataclass(frozen=True, slots=True)
class Layout:
    """Where in a record the columns stand. `record` matches a whole record, with a group for each of them."""

    header: str
    columns: tuple[str, ...]
    record: str

    def fits(self, text: str) -> bool:
        """Whether a text is a whole record."""
        return re.fullmatch(self.record, text) is not None

    @classmethod
    def of(cls, header: str, place: str) -> Self:
        """Read a header line; raises EventsError, naming what is missing and what was found."""
        line = header[:LONGEST_HEADER].replace("\r", " ")  # csv raises for what no header ever has
        readings = [(each, next(csv.reader([line], delimiter=each), [])) for each in SEPARATORS]
        separator, names = max(readings, key=lambda reading: len(_columns(reading[1])))
        found = _columns(names)
        _require(found, names, place)
        field = rf'"(?:[^"]|"")*"|(?:[^"{separator}][^{separator}]*)?'
        groups = (f"?P<{found[index]}>" if index in found else "?:" for index in range(len(names)))
        record = separator.join(f"({group}{field})" for group in groups)
        return cls(header, tuple(found.values()), f"^{record}$")


def _columns(names: list[str]) -> dict[int, str]:
    """The columns we read by their position."""
    known = {plain(name): column for column, spellings in COLUMNS.items() for name in spellings}
    found: dict[int, str] = {}
    for index, name in enumerate(names):
        column = known.get(plain(name))
        if column and column not in found.values():
            found[index] = column
    return found


def _require(found: dict[int, str], names: list[str], place: str) -> None:
    missing = [spellings[0] for column, spellings in COLUMNS.items() if column not in found.values()]
    spared = [COLUMNS[column][0] for column in SPARED]
    if len(missing) == 1 and missing[0] in spared:
        return
    if missing:
        lacks, has = ", ".join(missing), ", ".join(name.strip() for name in names)
        raise EventsError(f"{place}: this is not the header of a Moodle log; it lacks {lacks}; it has {has[:300]}")


def whole_records(blocks: Iterator[pl.DataFrame], layout: Layout) -> Iterator[pl.DataFrame]:
    """Blocks in which a record that runs over several lines is one text, numbered by its first line.

    A quotation mark that is never closed is not let swallow what follows: lines are only joined if together
    they fit the columns.
    """
    held: pl.DataFrame | None = None
    for block in blocks:
        block = block if held is None else pl.concat([held, block])
        block, held = _joined(block, layout, more=True)
        yield block
    if held is not None:
        yield _joined(held, layout, more=False)[0]


def _joined(block: pl.DataFrame, layout: Layout, more: bool) -> tuple[pl.DataFrame, pl.DataFrame | None]:
    """The block with its records joined, and the lines at its end that may need those to come."""
    odd = (block["text"].str.count_matches('"', literal=True) % 2 == 1).arg_true().to_list()
    texts, swallowed, open_at = block["text"].to_list() if odd else [], set[int](), -1
    for index, row in enumerate(odd):
        if row in swallowed:
            continue
        end = odd[index + 1] if index + 1 < len(odd) else None
        if end is None or end - row >= LONGEST_RECORD:
            open_at = row
            continue
        record = "\n".join(text or "" for text in texts[row : end + 1])
        if layout.fits(record):
            texts[row] = record
            swallowed.update(range(row + 1, end + 1))
    if odd:
        block = block.with_columns(text=pl.Series(texts, dtype=pl.String))
    kept = ~pl.int_range(pl.len()).is_in(sorted(swallowed))
    if more and odd and open_at == odd[-1] and block.height - open_at < LONGEST_RECORD:
        return block[:open_at].filter(kept), block[open_at:]
    return block.filter(kept), None
