"""Reading the file formats of a bundle: what cannot be read becomes a Problem, never an exception."""

import json
import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

import polars as pl
from pydantic import TypeAdapter, ValidationError

from data.course import Problem
from data.texts import find_unseen, quote
from scribe.plumbing.toml_text import parse_toml

T = TypeVar("T")


_HEADING = re.compile(r"##\s+(?P<title>.*\S)\s*")


@dataclass(frozen=True, slots=True)
class Location:
    """A spot in a bundle; what is found wrong there goes to the list all places share."""

    problems: list[Problem]
    file: str = ""
    row: str = ""

    def within(self, file: str) -> "Location":
        """The whole of one file."""
        return replace(self, file=file, row="")

    def at(self, row: str) -> "Location":
        """One line, row, entry or key of this file."""
        return replace(self, row=row)

    def note(self, reason: str) -> None:
        """Note one problem here."""
        self.problems.append(Problem(self.file, self.row, reason))

    def require(self, holds: bool, reason: str) -> bool:
        """Note a problem unless something holds; returns whether it does."""
        if not holds:
            self.note(reason)
        return holds

    def between(self, what: str, value: float, low: float, high: float) -> bool:
        """Note a problem unless a number is from `low` to `high`, which NaN never is."""
        return self.require(low <= value <= high, f"{what} must be {low:g} to {high:g}, not {value:g}")


@dataclass(frozen=True, slots=True)
class Passage:
    """The text under one "## " heading, and the place of the heading."""

    place: Location
    title: str
    text: str


@dataclass(frozen=True)
class ParquetTable:
    """What a parquet file must hold: types by column, and the column in which null is allowed, if there is one."""

    name: str
    columns: dict[str, pl.DataType] = field(hash=False)
    nullable: str = ""


Fault = tuple[pl.Expr, str]
"""When a row is wrong, and what to say of it, with the row's values as `str.format` puts them in."""


def read_text(folder: Path, place: Location) -> str | None:
    """The whole file as text, or None and a problem."""
    if is_special(folder / place.file):
        place.note("is no regular file")
        return None
    try:
        return (folder / place.file).read_text(encoding="utf-8")
    except FileNotFoundError:
        place.note("the file is missing")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        place.at(f"line {line}").note(f"is not UTF-8 text (at byte {error.start}); save it as UTF-8")
    except OSError as error:
        place.note(f"cannot be read: {error.strerror}")
    return None


def is_special(path: Path) -> bool:
    """Whether something is there that is no file with an end: a pipe would keep a reader waiting for ever."""
    return path.exists() and not path.is_file()


def read_toml(folder: Path, place: Location) -> dict[str, Any] | None:
    """The file's top-level table, or None and a problem."""
    text = read_text(folder, place)
    if text is None:
        return None
    try:
        return parse_toml(text)
    except tomllib.TOMLDecodeError as error:
        place.note(f"is not valid TOML: {error}")
        return None


def read_lines(folder: Path, place: Location) -> Iterator[tuple[Location, Any]]:
    """The value on each line of JSON that can be read; blank lines are skipped."""
    # Not splitlines(): a JSON string may hold other line separators of Unicode.
    for number, line in enumerate((read_text(folder, place) or "").split("\n"), start=1):
        if not line.strip():
            continue
        here = place.at(f"line {number}")
        try:
            yield here, json.loads(line)
        except json.JSONDecodeError as error:
            here.note(f"is not valid JSON: {error.msg} at column {error.colno}")
        except RecursionError:
            here.note("is not JSON we can read: it is nested too deeply")


def read_passages(folder: Path, place: Location) -> list[Passage]:
    """The sections of a Markdown file, split at its "## " headings; at least one, and none empty."""
    text = read_text(folder, place)
    if text is None:
        return []
    found = list(_split_passages(text, place))
    place.require(bool(found), 'has no "## " section')
    for passage in found:
        passage.place.require(bool(passage.text), f"section {passage.title!r} is empty")
        hidden = find_unseen(passage.title, joiners=True)
        passage.place.require(not hidden, f"heading {quote(passage.title)} holds {hidden}, which cannot be seen")
    return found


def read_table(folder: Path, table: ParquetTable, bundle: Location) -> pl.DataFrame | None:
    """The usable rows with their number (`row`, from 1) and the table's columns; None if there is no table."""
    place = bundle.within(table.name)
    if is_special(folder / table.name):
        place.note("is no regular file")
        return None
    try:
        content = pl.read_parquet((folder / table.name).read_bytes())
    except FileNotFoundError:
        place.note("the file is missing")
        return None
    except (OSError, pl.exceptions.PolarsError) as error:
        place.note(f"is not a readable parquet file: {_first_line(error)}")
        return None
    for name, kind in table.columns.items():
        if place.require(name in content.columns, f"needs one column {name!r}; it has {', '.join(content.columns)}"):
            try:
                content = content.with_columns(pl.col(name).cast(kind))
            except pl.exceptions.PolarsError as error:
                place.at(f"column {name}").note(f"is not of type {kind}: {_first_line(error)}")
    if {name: content.schema.get(name) for name in table.columns} != table.columns:
        return None
    rows = content.select(*table.columns).with_row_index("row", 1)
    required = [name for name in table.columns if name != table.nullable]
    note_faults(rows, [(pl.col(name).is_null(), f"has no {name}") for name in required], place)
    return rows.drop_nulls(required)


def note_faults(rows: pl.DataFrame, faults: Iterable[Fault], place: Location) -> None:
    """Note every row (numbered by its column `row`) of which the condition of a fault is true."""
    for wrong, reason in faults:
        for row in rows.filter(wrong).iter_rows(named=True):
            place.at(f"row {row['row']}").note(reason.format(**row))


def list_entries(table: dict[str, Any], key: str, file: Location, required: bool = True) -> list[tuple[Location, Any]]:
    """The entries of a list with their places; one that is `required` must not be empty."""
    listed = table.get(key, [])
    if not isinstance(listed, list):
        file.at(key).note("must be a list of entries")
        return []
    file.at(key).require(bool(listed) or not required, "must have at least one entry")
    return [(file.at(f"{key} {number}"), entry) for number, entry in enumerate(listed, start=1)]


def parse_entries(kind: type[T], raw: Iterable[tuple[Location, Any]]) -> list[tuple[Location, T]]:
    """Each raw value as a dataclass of this kind; a value that does not fit is noted, key by key."""
    adapter, read = TypeAdapter(kind), list[tuple[Location, T]]()
    for place, value in raw:
        try:
            read.append((place, adapter.validate_python(value)))
        except ValidationError as error:
            for each in error.errors():
                reason = each["msg"].removeprefix("Value error, ")
                keys = " ".join(str(key + 1 if isinstance(key, int) else key) for key in each["loc"])
                place.at(f"{place.row} {keys}".strip()).note(reason[:1].lower() + reason[1:])
    return read


def check_distinct(names: Iterable[tuple[Location, str]], what: str) -> None:
    """Note every name that an earlier place bears already, capitals ignored."""
    first: dict[str, Location] = {}
    for place, name in names:
        owner = first.setdefault(name.casefold(), place)
        where = owner.row if owner.file == place.file else f"{owner.file}, {owner.row}"
        place.require(owner is place, f"{what} {quote(name)} is used already by {where}")


def _split_passages(text: str, place: Location) -> Iterator[Passage]:
    start, title, body, fenced = place, "", list[str](), False
    for number, line in enumerate(text.splitlines(), start=1):
        fenced ^= line.startswith("```")
        heading = None if fenced else _HEADING.fullmatch(line)
        if heading is None:
            body.append(line)
            continue
        if title:
            yield Passage(start, title, "\n".join(body).strip())
        start, title, body = place.at(f"line {number}"), heading["title"], []
    if title:
        yield Passage(start, title, "\n".join(body).strip())


def _first_line(error: Exception) -> str:
    return str(error).split("\n", 1)[0]
