"""Text files of any size, plain or gz, in blocks of numbered lines; lines of JSON as rows of a table."""

import gzip
import io
import json
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

import polars as pl

from data.events.schema import EventsError

BLOCK = 32 * 2**20
"""Bytes of text held at a time. Lines differ too much in length to count them instead."""
PIECE = 2**20
GZIP = b"\x1f\x8b"
UTF8_MARK = b"\xef\xbb\xbf"
UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
BROKEN_GZIP = (EOFError, zlib.error, gzip.BadGzipFile)

Seen = Callable[[int], None]
"""Is told how many bytes of the file, as it lies on disk, have been read so far."""


def read_blocks(path: Path, seen: Seen | None = None, size: int = BLOCK) -> Iterator[pl.DataFrame]:
    """Blocks of the lines that are not blank: `line` (Int64, from 1), `text` (String, null if not UTF-8).

    Holds about `size` bytes of text at a time. Raises EventsError for a file that is absent, empty, not the
    gz file its name says, cut off within its gz stream, in UTF-16, or that has a line longer than `size`.
    """
    try:
        with path.open("rb") as file:
            yield from _cut_blocks(path, file, seen, size)
    except OSError as error:
        raise EventsError(f"{path}: cannot be read: {error.strerror or error}") from error


def _cut_blocks(path: Path, file: BinaryIO, seen: Seen | None, size: int) -> Iterator[pl.DataFrame]:
    line, empty = 1, True
    try:
        for text in _join_lines(_unpack(path, file), size):
            breaks = text.count(b"\n")
            if not breaks and len(text) >= size:
                raise EventsError(f"{path}:{line}: the line is longer than {size:,} bytes; is this a log?")
            block = _number_lines(text, line)
            line += breaks
            if seen is not None:
                seen(file.tell())
            if block.height:
                empty = False
                yield block
    except BROKEN_GZIP as error:
        raise EventsError(f"{path}: the gz file is broken; it could be read up to line {line - 1}: {error}") from error
    if empty:
        raise EventsError(f"{path}: the file is empty")


def _unpack(path: Path, file: BinaryIO) -> Iterator[bytes]:
    """The text in pieces, without a byte order mark."""
    magic = file.read(2)
    file.seek(0)
    if magic in UTF16_MARKS:
        raise EventsError(f"{path}: is UTF-16 text; save it as UTF-8")
    if magic and magic != GZIP and path.suffix == ".gz":
        raise EventsError(f"{path}: is not a gz file, whatever its name says; nothing of it was read")
    # read1 returns what there is, so that a stream that breaks off is read up to where it does.
    read: Callable[[int], bytes] = gzip.GzipFile(fileobj=file).read1 if magic == GZIP else file.read
    yield read(PIECE).removeprefix(UTF8_MARK)
    while piece := read(PIECE):
        yield piece


def _join_lines(pieces: Iterator[bytes], size: int) -> Iterator[bytes]:
    """The pieces put together to about `size` bytes that end where a line does."""
    held = bytearray()
    try:
        for piece in pieces:
            held += piece
            if len(held) >= size:
                cut = held.rfind(b"\n") + 1 or len(held)
                yield bytes(held[:cut])
                del held[:cut]
    except BROKEN_GZIP:
        yield bytes(held[: held.rfind(b"\n") + 1])
        raise
    yield bytes(held)


def _number_lines(text: bytes, first: int) -> pl.DataFrame:
    if not text:
        return pl.DataFrame(schema={"line": pl.Int64, "text": pl.String})
    try:
        block = pl.read_lines(text, name="text")
    except pl.exceptions.ComputeError:  # some line is not UTF-8; polars does not say which
        lines = [_decode_line(each) for each in text.removesuffix(b"\n").split(b"\n")]
        block = pl.DataFrame({"text": lines}, schema={"text": pl.String})
    block = block.with_row_index("line", first).cast({"line": pl.Int64})
    return block.filter(pl.col("text").is_null() | pl.col("text").str.contains(r"\S"))


def _decode_line(line: bytes) -> str | None:
    try:
        return line.removesuffix(b"\r").decode()
    except UnicodeDecodeError:
        return None


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
