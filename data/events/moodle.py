"""Moodle's standard log, exported as CSV in English or French (Reports > Logs > Download).

The student is the first user id in the description, or else a hash of the full name: a pseudonym that anybody with a
list of names can undo. The object is the course module id of the description, or else the event's context. Moodle's log
has no marks. Exports without seconds make one event of two equal clicks in the same minute.
"""

import csv
import hashlib
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import polars as pl

from data.events.clock import read_local
from data.events.lines import SEPARATORS, Record, read_records
from data.events.schema import PROBLEMS, EventBatch, EventsError, Kind
from data.texts import quote

COLUMNS = {
    "time": ("Time", "Heure", "Date"),
    "user": ("User full name", "Nom complet de l'utilisateur", "Nom complet"),
    "context": ("Event context", "Contexte de l'événement"),
    "component": ("Component", "Composant"),
    "event": ("Event name", "Nom de l'événement"),
    "description": ("Description",),
}
"""The columns that are read, in any order. Affected user, origin and IP address are never looked at."""
SPARED = ("user", "description")  # Of these two one is enough: either says who it was
LONGEST_RECORD = 20  # Lines that one record may take, for texts in it may hold line breaks
RECORDS = 50_000  # Records in a batch

# Words are compared as `plain` makes them.
ATTEMPT_SUBMITTED = ("quiz attempt submitted", "tentative de test envoyée", "tentative de test remise")
POSTED = ("post created", "message créé", "discussion created", "discussion créée")
VIEWED = ("course module viewed", "module de cours consulté")
READ = ("discussion viewed", "discussion consultée")
PAGES = (
    *VIEWED,
    *READ,
    *("course viewed", "cours consulté"),
    *("course module instance list viewed", "liste d'instances de module de cours consultée"),
    *("chapter viewed", "chapitre consulté", "content page viewed", "page de contenu consultée"),
    *("quiz attempt viewed", "tentative de test consultée"),
    *("quiz attempt summary viewed", "résumé de tentative de test consulté"),
    *("quiz attempt reviewed", "tentative de test relue"),
)
VIDEOS = ("kaltura", "panopto", "opencast", "mediasite", "ubicast", "vimeo", "youtube", "video", "vidéo")
"""Parts of the names of plug-ins that do nothing but show videos: opening one loads its video."""
MIXED = ("h5p", "interactive content", "contenu interactif")
"""May be a video or anything else; it is one if the activity's name says so (VIDEO_NAME)."""
VIDEO_NAME = r"(?i)\bvid[eé]os?\b"
USER_ID = r"(?i)\b(?:user|utilisateur|utilisatrice)\b.{0,25}?\b(?:id|identifiant)\W{0,4}(-?\d+)"
MODULE_ID = r"(?i)\bcourse module id\W{0,3}(\d+)"
ACTING_AS = r"\S (?:as|en tant que) \S"
"""In a full name: staff who have logged in as the student. It was not the student."""


def plain(word: str) -> str:
    """A word of Moodle's in lower case, with straight apostrophes and single spaces."""
    return " ".join(word.replace("’", "'").casefold().split())


def kind_of(component: str, event: str) -> Kind | None:
    """The kind of an event by component and event name, None if we do not know it."""
    component, event = plain(component), plain(event)
    if event in ATTEMPT_SUBMITTED:
        return Kind.PROBLEM_CHECK
    if component == "forum" and event in POSTED:
        return Kind.FORUM_POST
    if component == "forum" and event in (*VIEWED, *READ):
        return Kind.FORUM_VIEW
    if event in VIEWED and any(each in component for each in VIDEOS):
        return Kind.VIDEO_LOAD
    return Kind.PAGE_VIEW if event in PAGES else None


def read_batches(blocks: Iterator[pl.DataFrame], path: Path, timezone: str) -> Iterator[EventBatch]:
    """Sort the records of a file (`lines.read_blocks`). Raises EventsError for header, emptiness, month first."""
    lines = (row for block in blocks for row in block.iter_rows())
    line, text = next(lines)
    if text is None:
        raise EventsError(f"{path}:{line}: the header is not UTF-8 text; save the file as UTF-8")
    readings = [(each, next(csv.reader([text], delimiter=each))) for each in SEPARATORS]
    separator, header = max(readings, key=lambda reading: len(_find_columns(reading[1])))
    columns = _find_columns(header)
    missing = [column for column in COLUMNS if column not in columns]
    if missing and not (len(missing) == 1 and missing[0] in SPARED):
        lacks, has = ", ".join(COLUMNS[column][0] for column in missing), ", ".join(map(str.strip, header))
        what = "this is not the header of a Moodle log"
        raise EventsError(f"{path}:{line}: {what}; it lacks {lacks}; it has {has[:300]}")
    records = (record for record in read_records(lines, separator, path, LONGEST_RECORD) if record[1] != header)
    empty = True
    while batch := list(islice(records, RECORDS)):
        empty = False
        yield _read_batch(batch, columns, len(header), path, timezone)
    if empty:
        raise EventsError(f"{path}: the file is empty below its header")


def _find_columns(names: list[str]) -> dict[str, int]:
    """The positions of the columns we read."""
    known = {plain(name): column for column, spellings in COLUMNS.items() for name in spellings}
    found: dict[str, int] = {}
    for index, name in enumerate(names):
        if column := known.get(plain(name)):
            found.setdefault(column, index)
    return found


def _read_batch(records: list[Record], columns: dict[str, int], width: int, path: Path, timezone: str) -> EventBatch:
    whole = [(line, *(values[at] for at in columns.values())) for line, values in records if len(values) == width]
    torn = [
        (line, "does not have the columns of the header" if values else "is not UTF-8 text")
        for line, values in records
        if len(values) != width
    ]
    rows = pl.DataFrame(whole, {"line": pl.Int64, **dict.fromkeys(columns, pl.String)}, orient="row")
    rows = rows.with_columns(pl.col(pl.String).str.strip_chars())
    rows = _add_kind(rows.with_columns(pl.lit("").alias(column) for column in SPARED if column not in columns))
    unknown = rows.filter(pl.col("kind").is_null()).select(name=pl.format("{}: {}", "component", "event"))["name"]
    known = _complete(rows.filter(pl.col("kind").is_not_null()).rechunk(), path, timezone)
    return EventBatch.of(known, unknown, pl.DataFrame(torn, PROBLEMS, orient="row"))


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
    if times["month_first"].any():  # it says that all the others of the file have been read wrongly as well
        line, time = rows.filter(times["month_first"]).select("line", "time").row(0)
        said = f"the date {quote(time)} has its month first"
        raise EventsError(f"{path}:{line}: {said}; export the log in English or French")
    description = pl.col("description")
    rows = rows.with_columns(times["time"]).with_columns(
        user_id=description.str.extract(USER_ID).cast(pl.Int64, strict=False),
        object=pl.coalesce(description.str.extract(MODULE_ID), pl.when(pl.col("context") != "").then("context")),
        value=pl.lit(None, pl.Float64),
    )
    rows = rows.with_columns(student=_choose_student(rows))
    nameless = pl.col("student").is_null()
    reason = (
        pl.when(nameless)
        .then(pl.lit("has no user"))
        .when(pl.col("object").is_null())
        .then(pl.lit("does not say of what: no event context"))
    )
    nobody = pl.col("user").str.contains(ACTING_AS) | (nameless & (pl.col("kind") == Kind.PAGE_VIEW))
    return rows.with_columns(reason=reason, nobody=nobody)


def _choose_student(rows: pl.DataFrame) -> pl.Series:
    """The user id, else a pseudonym for the full name; null for the system (ids below 1) and for no name."""
    unnamed = rows.filter(pl.col("user_id").is_null())["user"].unique()
    named = (name for name in unnamed if name not in ("", "-"))
    hashes = {name: f"name-{hashlib.sha256(plain(name).encode()).hexdigest()[:16]}" for name in named}
    name = pl.col("user").replace_strict(hashes, default=None, return_dtype=pl.String)
    by_id = pl.when(pl.col("user_id") > 0).then(pl.col("user_id").cast(pl.String))
    return rows.select(student=pl.when(pl.col("user_id").is_null()).then(name).otherwise(by_id))["student"]
