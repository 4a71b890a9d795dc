"""The log of a simulated course as it is written: columns of numbers, a table at the end."""

from __future__ import annotations

import math
from array import array
from collections.abc import Collection

import numpy as np
import polars as pl

from data.events.clock import to_utc
from data.events.schema import SCHEMA, Kind
from data.schedule import Schedule

KINDS = tuple(Kind)
CODES = {kind: code for code, kind in enumerate(KINDS)}


class ClickLog:
    """ClickLog so far. Times are seconds since Monday 00:00 of week 1 on the course's wall clock."""

    __slots__ = ("_kinds", "_names", "_objects", "_students", "_times", "_values")

    def __init__(self) -> None:
        self._students, self._times = array("I"), array("d")
        self._kinds, self._objects, self._values = array("B"), array("I"), array("d")
        self._names: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self._times)

    def add(self, student: int, time: float, kind: Kind, name: str, value: float = math.nan) -> None:
        """Write down one click of the student of this number; NaN where a kind has no value."""
        self._students.append(student)
        self._times.append(time)
        self._kinds.append(CODES[kind])
        self._objects.append(self._names.setdefault(name, len(self._names)))
        self._values.append(value)

    def times(self, first: int) -> array[float]:
        """The times of the clicks from this number on."""
        return self._times[first:]

    def table(self, students: list[str], schedule: Schedule, kinds: Collection[Kind], marks: bool) -> pl.DataFrame:
        """The clicks of some kinds as `data.events.schema` says, by student and time.

        Students are named by the list. Without `marks` the platform does not tell how well a problem was solved.
        """
        known = np.isin(np.frombuffer(self._kinds, np.uint8), [CODES[kind] for kind in kinds])
        since = (np.frombuffer(self._times)[known] * 1e6).round()
        start = np.datetime64(schedule.monday(1), "us")
        columns = {
            "student": pl.Series(_name_codes(self._students, students)[known], dtype=pl.String),
            "time": to_utc(pl.Series(start + since.astype("timedelta64[us]")), schedule.timezone),
            "kind": pl.Series(_name_codes(self._kinds, list(KINDS))[known], dtype=pl.String),
            "object": pl.Series(_name_codes(self._objects, list(self._names))[known], dtype=pl.String),
            "value": np.frombuffer(self._values)[known],
        }
        value = pl.col("value").fill_nan(None)
        hidden = pl.col("kind") == Kind.PROBLEM_CHECK if not marks else pl.lit(False)
        table = pl.DataFrame(columns).with_columns(value=pl.when(~hidden).then(value))
        return table.select(list(SCHEMA)).cast(SCHEMA).sort("student", "time", maintain_order=True)


def _name_codes(codes: array[int], names: list[str]) -> np.ndarray[tuple[int], np.dtype[np.object_]]:
    named: np.ndarray[tuple[int], np.dtype[np.object_]] = np.array(names, dtype=object)[np.asarray(codes)]
    return named
