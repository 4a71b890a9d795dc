"""The features of many students as one array, and back to the names and units they came with."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from data.catalogue import load_catalogue

Floats = NDArray[np.float64]
DIGITS = 6  # Of a stored value: far finer than any unit that is shown


@dataclass(frozen=True, slots=True)
class Behaviour:
    """Raw values (students, weeks from 1, features), NaN for missing; the other fields name the axes."""

    students: tuple[str, ...]
    features: tuple[str, ...]
    values: Floats

    @property
    def weeks(self) -> int:
        """How many weeks there are."""
        return int(self.values.shape[1])

    @classmethod
    def of(cls, table: pl.DataFrame, students: Sequence[str], weeks: int) -> "Behaviour":
        """From the table of `weekly_features`, all features; a student without a row is missing everywhere."""
        features = tuple(feature.name for feature in load_catalogue())
        place = {name: number for number, name in enumerate(students)}
        column = {name: number for number, name in enumerate(features)}
        values = np.full((len(students), weeks, len(features)), np.nan)
        known = table.filter(pl.col("student").is_in(list(place)), pl.col("week").is_between(1, weeks))
        rows = known["student"].replace_strict(place, return_dtype=pl.Int64).to_numpy()
        columns = known["feature"].replace_strict(column, return_dtype=pl.Int64).to_numpy()
        values[rows, known["week"].to_numpy() - 1, columns] = known["value"].to_numpy()
        return cls(tuple(students), features, values)

    def only(self, features: Sequence[str]) -> "Behaviour":
        """The same students with some of the features, in the given order."""
        places = [self.features.index(name) for name in features]
        return Behaviour(self.students, tuple(features), self.values[:, :, places])

    def varying_features(self) -> tuple[str, ...]:
        """The features that differ between any two cells: the others (never recorded, always 0) say nothing."""
        flat = self.values.reshape(-1, len(self.features))
        return tuple(
            name
            for name, column in zip(self.features, flat.T, strict=True)
            if np.unique(column[~np.isnan(column)]).size > 1
        )
