"""Tables as people export them: text with a header, read row by row with the line each row stands on."""

import csv
import io
from collections.abc import Iterator, Sequence
from pathlib import Path

from data.course import BundleError

DELIMITERS = ",;\t"


def read_rows(path: Path, columns: Sequence[str]) -> Iterator[tuple[int, tuple[str, ...] | None]]:
    """The line (from 1) and the values of `columns`, stripped, of each row; None for a row of another length.

    Commas, semicolons or tabs may separate the values, as the header shows; columns may stand in any order
    and others beside them. Raises BundleError for a file that cannot be read or lacks one of the columns.
    """
    text = _text(path)
    first = text.split("\n", 1)[0]
    delimiter = max(DELIMITERS, key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    try:
        header = [name.strip() for name in next(reader, [])]
        places = _places(path, header, columns)
        for row in reader:
            if any(cell.strip() for cell in row):
                fits = len(row) == len(header)
                yield reader.line_num, tuple(row[place].strip() for place in places) if fits else None
    except csv.Error as error:
        raise BundleError(f"{path}:{reader.line_num}: is not a table: {error}") from error


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise BundleError(f"{path}: is not UTF-8 text (at byte {error.start}); save it as UTF-8") from error
    except OSError as error:
        raise BundleError(f"{path}: cannot be read: {error.strerror or error}") from error


def _places(path: Path, header: Sequence[str], columns: Sequence[str]) -> list[int]:
    wrong = [name for name in columns if header.count(name) != 1]
    if wrong:
        has = ", ".join(map(repr, filter(None, header))) or "nothing"
        wanted = ", ".join(columns)
        raise BundleError(f"{path}:1: the header must name each of {wanted} once; it has {has}")
    return [header.index(name) for name in columns]
