"""Moodle's standard log, exported as CSV in English or French (Reports > Logs > Download).

The columns are found by their names, in any order, between commas, semicolons or tabs. The student is the
first user id in the description ("The user with id '12' …"); without one it is a hash of the full name: a
pseudonym that anybody with a list of names can undo. The object is the course module id of the description
(the number in the activity's address), or else the event's context. Times: see `clock`. Which event is which
kind: see `moodle_format`. A quiz attempt bears a value only if its description gives a mark, which Moodle's
own does not. Exports without seconds make one event of two equal clicks in the same minute.
"""

import hashlib
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import polars as pl

from data.bundle_files import quote
from data.events.clock import read_local
from data.events.moodle_format import MIXED, SPARED, VIDEO_NAME, RecordLayout, join_records, kind_of, plain
from data.events.schema import EventBatch, EventsError, Kind

USER_ID = r"(?i)\b(?:user|utilisateur|utilisatrice)\b.{0,25}?\b(?:id|identifiant)\W{0,4}(-?\d+)"
MODULE_ID = r"(?i)\bcourse module id\W{0,3}(\d+)"
MARK = (
    r"(?i)\b(?:grade|mark|score|note)\b\D{0,20}(?P<mark>\d+(?:[.,]\d+)?)"
    r"\s*(?:/|out of|sur)\s*(?P<most>\d+(?:[.,]\d+)?)"
)
ACTING_AS = r"\S (?:as|en tant que) \S"
"""In a full name: staff who have logged in as the student. It was not the student."""


def read_batches(blocks: Iterator[pl.DataFrame], path: Path, timezone: str) -> Iterator[EventBatch]:
    """Sort the records of a file, given in blocks of numbered lines (`lines.read_blocks`).

    Raises EventsError for a wrong header, for one with nothing below it, and for dates with the month first.
    """
    head = next(blocks)
    line, text = head.row(0)
    if text is None:
        raise EventsError(f"{path}:{line}: the header is not UTF-8 text; save the file as UTF-8")
    layout = RecordLayout.of(text.strip(), f"{path}:{line}")
    empty = True
    for block in join_records(chain([head[1:]], blocks), layout):
        rows = block.filter(pl.col("text").ne_missing(layout.header))
        if rows.height:
            empty = False
            yield read_batch(rows, layout, path, timezone)
    if empty:
        raise EventsError(f"{path}: the file is empty below its header")


def read_batch(block: pl.DataFrame, layout: RecordLayout, path: Path, timezone: str) -> EventBatch:
    """Sort records: columns `line`, `text`."""
    block = block.rechunk()  # polars 2.1 panics where `pl.format` meets a column in several chunks
    fields = block["text"].str.extract_groups(layout.record).struct.unnest()
    rows = block.hstack(fields.select(_unquote(column) for column in layout.columns))
    rows = rows.with_columns(pl.lit("").alias(column) for column in SPARED if column not in layout.columns)
    torn = pl.col("time").is_null()
    broken = rows.filter(torn).with_columns(
        reason=pl.when(pl.col("text").is_null())
        .then(pl.lit("is not UTF-8 text"))
        .otherwise(pl.lit("does not have the columns of the header"))
    )
    rows = _add_kind(rows.filter(~torn))
    unknown = rows.filter(pl.col("kind").is_null()).select(name=pl.format("{}: {}", "component", "event"))["name"]
    known = _complete(rows.filter(pl.col("kind").is_not_null()), path, timezone)
    return EventBatch.of(known, unknown, broken)


def _unquote(column: str) -> pl.Expr:
    field = pl.col(column)
    inner = field.str.slice(1, field.str.len_chars() - 2).str.replace_all('""', '"', literal=True)
    return pl.when(field.str.starts_with('"')).then(inner).otherwise(field).str.strip_chars().alias(column)


def _add_kind(rows: pl.DataFrame) -> pl.DataFrame:
    pairs = rows.select("component", "event").unique()
    kinds = [kind_of(component, event) for component, event in pairs.iter_rows()]
    pairs = pairs.with_columns(kind=pl.Series(kinds, dtype=pl.String))
    page = pl.col("kind") == Kind.PAGE_VIEW
    video = page & pl.col("component").str.to_lowercase().is_in(MIXED) & pl.col("context").str.contains(VIDEO_NAME)
    load = pl.lit(Kind.VIDEO_LOAD.value)
    joined = rows.join(pairs, on=("component", "event"), how="left", maintain_order="left")
    return joined.rechunk().with_columns(kind=pl.when(video).then(load).otherwise("kind"))


def _complete(rows: pl.DataFrame, path: Path, timezone: str) -> pl.DataFrame:
    """Rows of known kinds with all that `EventBatch.of` asks for."""
    times = read_local(rows["time"], timezone)
    _refuse_month_first(rows, times["month_first"], path)
    description = pl.col("description")
    mark = description.str.extract_groups(MARK).struct
    rows = rows.with_columns(times["time"]).with_columns(
        user_id=description.str.extract(USER_ID).cast(pl.Int64, strict=False),
        object=pl.coalesce(description.str.extract(MODULE_ID), pl.when(pl.col("context") != "").then("context")),
        mark=_parse_number(mark.field("mark")),
        most=_parse_number(mark.field("most")),
    )
    rows = rows.with_columns(student=_choose_student(rows))
    checked = pl.col("kind") == Kind.PROBLEM_CHECK
    excess = pl.format("its mark, {}, is above its maximum, {}", "mark", "most")
    nameless = pl.col("student").is_null()
    reason = pl.coalesce(
        pl.when(nameless).then(pl.lit("has no user")),
        pl.when(pl.col("object").is_null()).then(pl.lit("does not say of what: no event context")),
        pl.when(checked & (pl.col("mark") > pl.col("most"))).then(excess),
    )
    share = pl.when(checked & (pl.col("most") > 0)).then(pl.col("mark") / pl.col("most"))
    nobody = pl.col("user").str.contains(ACTING_AS) | (nameless & (pl.col("kind") == Kind.PAGE_VIEW))
    return rows.with_columns(value=share, reason=reason, nobody=nobody)


def _refuse_month_first(rows: pl.DataFrame, month_first: pl.Series, path: Path) -> None:
    # One such date says that all the others of the file have been read wrongly as well.
    if month_first.any():
        line, time = rows.filter(month_first).select("line", "time").row(0)
        said = f"the date {quote(time)} has its month first"
        raise EventsError(f"{path}:{line}: {said}; export the log in English or French")


def _parse_number(text: pl.Expr) -> pl.Expr:
    return text.str.replace(",", ".", literal=True).cast(pl.Float64, strict=False)


def _choose_student(rows: pl.DataFrame) -> pl.Series:
    """The user id, else a pseudonym for the full name; null for the system (ids below 1) and for no name."""
    unnamed = rows.filter(pl.col("user_id").is_null())["user"].unique()
    hashes = {name: _hash_name(name) for name in unnamed if name not in ("", "-")}
    name = pl.col("user").replace_strict(hashes, default=None, return_dtype=pl.String)
    by_id = pl.when(pl.col("user_id") > 0).then(pl.col("user_id").cast(pl.String))
    return rows.select(student=pl.when(pl.col("user_id").is_null()).then(name).otherwise(by_id))["student"]


def _hash_name(name: str) -> str:
    return "name-" + hashlib.sha256(plain(name).encode()).hexdigest()[:16]
