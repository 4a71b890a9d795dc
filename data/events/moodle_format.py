"""Moodle's CSV: its words in English and French and what they are for us, its columns, and its records.

Words are compared in lower case, with straight apostrophes and single spaces (`plain`).
"""

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

import polars as pl

from data.events.schema import EventsError, Kind

COLUMNS = {
    "time": ("Time", "Heure", "Date"),
    "user": ("User full name", "Nom complet de l'utilisateur", "Nom complet"),
    "context": ("Event context", "Contexte de l'événement"),
    "component": ("Component", "Composant"),
    "event": ("Event name", "Nom de l'événement"),
    "description": ("Description",),
}
"""The columns that are read. Affected user, origin and IP address are in every export and never looked at."""
SPARED = ("user", "description")
"""Of these two one is enough: either says who it was."""

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
FORUMS = ("forum",)
VIDEOS = ("kaltura", "panopto", "opencast", "mediasite", "ubicast", "vimeo", "youtube", "video", "vidéo")
"""Parts of the names of plug-ins that do nothing but show videos: opening one loads its video."""
MIXED = ("h5p", "interactive content", "contenu interactif")
"""May be a video or anything else; it is one if the activity's name says so (VIDEO_NAME)."""
VIDEO_NAME = r"(?i)\bvid[eé]os?\b"
SEPARATORS = (",", ";", "\t")
LONGEST_RECORD = 20
"""Lines that one record may take, for texts in it may hold line breaks."""
LONGEST_HEADER = 4000


def plain(word: str) -> str:
    """A word of Moodle's in the form in which words are compared."""
    return " ".join(word.replace("’", "'").casefold().split())


def kind_of(component: str, event: str) -> Kind | None:
    """The kind of an event by component and event name, None if we do not know it."""
    component, event = plain(component), plain(event)
    if event in ATTEMPT_SUBMITTED:
        return Kind.PROBLEM_CHECK
    if component in FORUMS and event in POSTED:
        return Kind.FORUM_POST
    if component in FORUMS and event in (*VIEWED, *READ):
        return Kind.FORUM_VIEW
    if event in VIEWED and any(each in component for each in VIDEOS):
        return Kind.VIDEO_LOAD
    return Kind.PAGE_VIEW if event in PAGES else None


@dataclass(frozen=True, slots=True)
class RecordLayout:
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
        separator, names = max(readings, key=lambda reading: len(_find_columns(reading[1])))
        found = _find_columns(names)
        _require_columns(found, names, place)
        field = rf'"(?:[^"]|"")*"|(?:[^"{separator}][^{separator}]*)?'
        groups = (f"?P<{found[index]}>" if index in found else "?:" for index in range(len(names)))
        record = separator.join(f"({group}{field})" for group in groups)
        return cls(header, tuple(found.values()), f"^{record}$")


def _find_columns(names: list[str]) -> dict[int, str]:
    """The columns we read by their position."""
    known = {plain(name): column for column, spellings in COLUMNS.items() for name in spellings}
    found: dict[int, str] = {}
    for index, name in enumerate(names):
        column = known.get(plain(name))
        if column and column not in found.values():
            found[index] = column
    return found


def _require_columns(found: dict[int, str], names: list[str], place: str) -> None:
    missing = [spellings[0] for column, spellings in COLUMNS.items() if column not in found.values()]
    spared = [COLUMNS[column][0] for column in SPARED]
    if len(missing) == 1 and missing[0] in spared:
        return
    if missing:
        lacks, has = ", ".join(missing), ", ".join(name.strip() for name in names)
        raise EventsError(f"{place}: this is not the header of a Moodle log; it lacks {lacks}; it has {has[:300]}")


def join_records(blocks: Iterator[pl.DataFrame], layout: RecordLayout) -> Iterator[pl.DataFrame]:
    """Blocks in which a record that runs over several lines is one text, numbered by its first line.

    A quotation mark that is never closed is not let swallow what follows: lines are only joined if together
    they fit the columns.
    """
    held: pl.DataFrame | None = None
    for block in blocks:
        block = block if held is None else pl.concat([held, block])
        block, held = _join_block(block, layout, more=True)
        yield block
    if held is not None:
        yield _join_block(held, layout, more=False)[0]


def _join_block(block: pl.DataFrame, layout: RecordLayout, more: bool) -> tuple[pl.DataFrame, pl.DataFrame | None]:
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
