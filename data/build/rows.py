"""Tables as people export them: text with a header, read row by row with the line each row stands on."""

import csv
import io
from collections.abc import Iterator, Sequence
from pathlib import Path

from data.course import BundleError
from data.outside_text import quoted

DELIMITERS = ",;\t"
SHOWN = 10
OPEN = (
    "a quotation mark that is opened here does not end on this line: what follows would be swallowed; "
    "remove the mark, or the line break within the value"
)


def read_rows(path: Path, columns: Sequence[str]) -> Iterator[tuple[int, tuple[str, ...] | None]]:
    """The line (from 1) and the values of `columns`, stripped, of each row; None for a row of another length.

    Commas, semicolons or tabs may separate the values, as the header shows; columns may stand in any order
    and others beside them. Raises BundleError for a file that cannot be read, lacks one of the columns, or
    has a value with a line break: nobody could say how many rows a quotation mark never closed has cost.
    """
    text = _text(path)
    first = text.split("\n", 1)[0]
    delimiter = max(DELIMITERS, key=first.count)
    records = _records(path, text, delimiter)
    header = [name.strip() for name in next(records, (1, []))[1]]
    places = _places(path, header, columns)
    for line, row in records:
        if any(cell.strip() for cell in row):
            fits = len(row) == len(header)
            yield line, tuple(row[place].strip() for place in places) if fits else None


def _records(path: Path, text: str, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """The line and the cells of each record."""
    # The line break at the end is for a quotation mark that is opened on the last line.
    reader = csv.reader(io.StringIO(f"{text}\n", newline=""), delimiter=delimiter)
    while True:
        line = reader.line_num + 1
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            why = OPEN if reader.line_num > line else f"is not a table: {error}"
            raise BundleError(f"{path}:{line}: {why}") from error
        if any("\n" in cell for cell in row):
            raise BundleError(f"{path}:{line}: {OPEN}")
        yield line, row


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise BundleError(f"{path}:{line}: is not UTF-8 text (at byte {error.start}); save it as UTF-8") from error
    except OSError as error:
        raise BundleError(f"{path}: cannot be read: {error.strerror or error}") from error


def _places(path: Path, header: Sequence[str], columns: Sequence[str]) -> list[int]:
    wrong = [name for name in columns if header.count(name) != 1]
    if wrong:
        named = list(filter(None, header))
        has = ", ".join(map(quoted, named[:SHOWN])) or "nothing"
        wanted, more = ", ".join(columns), ", …" if len(named) > SHOWN else ""
        raise BundleError(f"{path}:1: the header must name each of {wanted} once; it has {has}{more}")
    return [header.index(name) for name in columns]
