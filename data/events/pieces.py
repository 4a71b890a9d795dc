"""Events of any number, put into one sorted parquet without duplicates while few are held in memory."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import polars as pl

from data.events.schema import COLUMNS, SCHEMA

PIECE = 200_000
"""Events held before they are written to a piece, which is sorted by student."""
GROUP = 1_000_000
"""Events of neighbouring students that are sorted at once; a student with more is sorted in one go."""
ROW_GROUP = 100_000
"""Rows of a parquet row group; as students are sorted, a reader can skip those it does not need."""


@dataclass(slots=True)
class Pieces:
    """Events on their way into one file: added in any order, kept in pieces in `folder` until they are put together."""

    folder: Path
    piece: int = PIECE
    group: int = GROUP
    _held: list[pl.DataFrame] = field(default_factory=list)
    _files: list[Path] = field(default_factory=list)
    _counts: list[pl.DataFrame] = field(default_factory=list)

    def add(self, events: pl.DataFrame) -> None:
        """Take events with the columns of `schema.SCHEMA`."""
        self._held.append(events)
        if sum(each.height for each in self._held) >= self.piece:
            self._write()

    def put_together(self, out: Path) -> int:
        """Write all events to `out`, sorted by student and time, each once; returns how many those are."""
        self._write()
        parts = [self._sorted(first, last, number) for number, (first, last) in enumerate(self._groups())]
        empty = pl.LazyFrame(schema=SCHEMA)
        whole = pl.concat([empty, *(pl.scan_parquet(path) for path, _ in parts)])
        whole.sink_parquet(out, row_group_size=ROW_GROUP, maintain_order=True)
        return sum(kept for _, kept in parts)

    def _write(self) -> None:
        if not self._held:
            return
        events = pl.concat(self._held).sort("student", "time")
        self._held.clear()
        self._counts.append(events.group_by("student").len())
        path = self.folder / f"piece-{len(self._files):06}.parquet"
        events.write_parquet(path, row_group_size=PIECE // 8)
        self._files.append(path)

    def _groups(self) -> Iterator[tuple[str, str]]:
        """First and last student of each group, in order."""
        if not self._counts:
            return
        students = pl.concat(self._counts).group_by("student").agg(pl.col("len").sum()).sort("student")
        number = (pl.col("len").cum_sum() - pl.col("len")) // self.group
        groups = students.group_by(number.alias("group"), maintain_order=True)
        yield from groups.agg(first=pl.col("student").first(), last=pl.col("student").last()).drop("group").iter_rows()

    def _sorted(self, first: str, last: str, number: int) -> tuple[Path, int]:
        events = pl.scan_parquet(self._files).filter(pl.col("student").is_between(pl.lit(first), pl.lit(last)))
        once = events.unique().sort(COLUMNS, nulls_last=False).collect(engine="streaming")
        path = self.folder / f"sorted-{number:06}.parquet"
        once.write_parquet(path)
        return path, once.height
