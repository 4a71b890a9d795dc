"""Text files of any size, plain or gz, in blocks of numbered lines; CSV as records; lines of JSON as a table."""

import csv
import gzip
import io
import json
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO, cast

import polars as pl

from data.events.schema import EventsError

BLOCK = 32 * 2**20  # Bytes of text held at a time. Lines differ too much in length to count them instead.
GZIP = b"\x1f\x8b"
UTF8_MARK = b"\xef\xbb\xbf"
UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
LINES = pl.Schema({"line": pl.Int64(), "text": pl.String()})
SEPARATORS = (",", ";", "\t")  # Between the values of a CSV file
BROKEN_GZIP = (EOFError, zlib.error, gzip.BadGzipFile)

Record = tuple[int, list[str]]  # The number of a record's first line, and its values; none for a line that is not UTF-8


def read_blocks(path: Path, seen: Callable[[int], object], size: int = BLOCK) -> Iterator[pl.DataFrame]:
    """Blocks of the lines that are not blank: `line` (Int64, from 1), `text` (String, null if not UTF-8).

    seen: is told how many bytes of the file, as it lies on disk, have been read. Raises EventsError for a file that is
    absent, empty, not the gz file its name says, cut off, in UTF-16, or that has a line longer than `size` bytes.
    """
    line, empty = 1, True
    try:
        with path.open("rb") as file:
            text = _unpack(path, file)
            while lines := text.readlines(size):
                if line == 1:
                    lines[0] = lines[0].removeprefix(UTF8_MARK)
                if len(max(lines, key=len)) > size:
                    at = line + max(range(len(lines)), key=lambda number: len(lines[number]))
                    raise EventsError(f"{path}:{at}: the line is longer than {size:,} bytes; is this a log?")
                numbers = range(line, line + len(lines))
                block = pl.DataFrame({"line": numbers, "text": [*map(_decode_line, lines)]}, LINES)
                line += len(lines)
                seen(file.tell())
                block = block.filter(pl.col("text").is_null() | pl.col("text").str.contains(r"\S"))
                if block.height:
                    empty = False
                    yield block
    except BROKEN_GZIP as error:
        raise EventsError(f"{path}: the gz file is broken somewhere after line {line - 1}: {error}") from error
    except OSError as error:
        raise EventsError(f"{path}: cannot be read: {error.strerror or error}") from error
    if empty:
        raise EventsError(f"{path}: the file is empty")


def _unpack(path: Path, file: BinaryIO) -> BinaryIO:
    magic = file.read(2)
    file.seek(0)
    if magic in UTF16_MARKS:
        raise EventsError(f"{path}: is UTF-16 text; save it as UTF-8")
    if magic and magic != GZIP and path.suffix == ".gz":
        raise EventsError(f"{path}: is not a gz file, whatever its name says; nothing of it was read")
    return cast(BinaryIO, gzip.GzipFile(fileobj=file)) if magic == GZIP else file


def _decode_line(line: bytes) -> str | None:
    try:
        return line.rstrip(b"\r\n").decode()
    except UnicodeDecodeError:
        return None


def read_records(lines: Iterator[tuple[int, str | None]], separator: str, path: Path, longest: int) -> Iterator[Record]:
    """The records of a CSV file; raises EventsError for one that takes more than `longest` lines."""
    taken: list[int] = []

    def take() -> Iterator[str]:
        for number, text in lines:
            taken.append(number)
            if len(taken) > longest:
                what = "a quotation mark that is opened here does not end"
                raise EventsError(f"{path}:{taken[0]}: {what}; remove the mark, or the line break within the value")
            yield f"{text or ''}\n"

    try:
        for values in csv.reader(take(), delimiter=separator):
            yield taken[0], values
            taken.clear()
    except csv.Error as error:
        raise EventsError(f"{path}:{taken[0]}: is not a table: {error}") from error


def decode_json(texts: pl.Series, schema: pl.Schema, absent: str) -> pl.DataFrame:
    """JSON objects as rows of the schema and `reason`: null, or why a text could not be read.

    A field that is absent or of another type is null; an object where text is expected is its JSON. The
    reason for null is `absent`.
    """
    plain = texts.str.replace_all("\n", " ", literal=True).str.strip_chars()
    text = pl.col("text")
    refused = pl.DataFrame({"text": plain}).select(
        reason=pl.when(text.is_null())
        .then(pl.lit(absent))
        .when(~text.str.starts_with("{"))
        .then(pl.lit("is not a JSON object"))
        .when(~text.str.ends_with("}"))
        .then(pl.lit("is cut short: the JSON object does not end"))
    )["reason"]
    # An empty object in the place of what is none keeps every text on a line of its own.
    rows = _decode_objects(plain.set(refused.is_not_null(), "{}"), schema)
    # In one chunk, because polars 2.1 panics where `pl.format` meets a column in several.
    return rows.with_columns(reason=refused.fill_null(rows["reason"])).rechunk()


def _decode_objects(texts: pl.Series, schema: pl.Schema) -> pl.DataFrame:
    """As `decode_json`. Polars refuses a whole block for one bad line, which halving the block finds."""
    rows: pl.DataFrame | None
    try:
        lines = (texts.str.join("\n").item() or "").encode()
        rows = pl.read_ndjson(io.BytesIO(lines), schema=schema, ignore_errors=True) if lines else schema.to_frame()
    except pl.exceptions.ComputeError:
        rows = None
    if rows is not None and rows.height == len(texts):
        return rows.with_columns(reason=pl.lit(None, pl.String))
    if len(texts) == 1:
        return pl.DataFrame([dict.fromkeys(schema)], schema=schema).with_columns(reason=pl.lit(_explain_json(texts[0])))
    half = len(texts) // 2
    return pl.concat([_decode_objects(texts[:half], schema), _decode_objects(texts[half:], schema)])


def _explain_json(text: str) -> str:
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        return f"is not JSON: {error.msg} at column {error.colno}"
    except RecursionError:
        return "is not JSON we can read: it is nested too deeply"
    return "is not strict JSON: it holds NaN or a number out of range"
