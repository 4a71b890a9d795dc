"""Events come out sorted and once, however few are held at a time."""

import random
from datetime import UTC, datetime, timedelta
from pathlib import Path

import polars as pl
import pytest

from data.events.reading import EventSorter
from data.events.schema import SCHEMA

START = datetime(2026, 9, 14, tzinfo=UTC)


def clicks(count: int, seed: int = 1) -> pl.DataFrame:
    draw = random.Random(seed)
    rows = [
        (
            f"s{draw.randrange(20)}",
            START + timedelta(seconds=draw.randrange(count)),
            draw.choice(["video.play", "video.seek"]),
            f"v{draw.randrange(3)}",
            draw.choice([None, 1.5, -2.0]),
        )
        for _ in range(count)
    ]
    return pl.DataFrame(rows, schema=SCHEMA, orient="row")


@pytest.mark.parametrize(("piece", "group"), [(10**6, 10**6), (100, 10**6), (10**6, 100), (70, 90), (1, 1)])
def test_the_result_does_not_depend_on_how_many_are_held(tmp_path: Path, piece: int, group: int) -> None:
    events = clicks(1000)
    sorter = EventSorter(tmp_path, piece, group)
    for start in range(0, 1000, 90):
        sorter.add(events[start : start + 90])
    kept = sorter.write(tmp_path / "out.parquet")
    written = pl.read_parquet(tmp_path / "out.parquet")
    assert written.equals(events.unique().sort(events.columns))
    assert written.schema == SCHEMA
    assert kept == written.height < 1000


def test_the_same_click_read_twice_is_one_and_two_that_differ_are_two(tmp_path: Path) -> None:
    click = pl.DataFrame([("s1", START, "video.seek", "v1", None)], schema=SCHEMA, orient="row")
    other = click.with_columns(value=pl.lit(3.0))
    sorter = EventSorter(tmp_path, piece=1)
    for each in (click, other, click, click, other):
        sorter.add(each)
    assert sorter.write(tmp_path / "out.parquet") == 2


def test_no_events_make_an_empty_table(tmp_path: Path) -> None:
    assert EventSorter(tmp_path).write(tmp_path / "out.parquet") == 0
    assert pl.read_parquet(tmp_path / "out.parquet").schema == SCHEMA
