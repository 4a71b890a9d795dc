"""A viewing: what is clicked fits the length of the video."""

import math
from random import Random
from typing import NamedTuple

import polars as pl
import pytest

from data.cohort.session import ClickLog, StudySession, watch
from data.cohort.simulate import Cohort
from data.cohort.traits import Habits, PlannedItem
from data.events.schema import Kind
from data.schedule import Schedule

ZONE = "Europe/Zurich"
RESTLESS = Habits(hour=9.0, days=(0,), speed=1.5, pauses=8.0, jumps=6.0, back=0.5, chatty=0.0)


class Click(NamedTuple):
    """An event on a video, its time in seconds."""

    kind: str
    time: float
    value: float | None


def replayed(clicks: list[Click], rate: float = 1.0) -> tuple[list[float], float]:
    """Where in the video each click of a viewing happens and leads to (seconds of video), and the last speed."""
    position, playing, since, places = 0.0, False, clicks[0].time, list[float]()
    for click in clicks:
        position += (click.time - since) * rate * playing
        places.append(position)
        if click.kind == Kind.VIDEO_SEEK:
            position += click.value or 0.0
            places.append(position)
        rate = click.value or 1.0 if click.kind == Kind.VIDEO_SPEED else rate
        playing = click.kind == Kind.VIDEO_PLAY or (playing and click.kind == Kind.VIDEO_SEEK)
        since = click.time
    return places, rate


def viewing(seed: int, minutes: float, share: float, schedule: Schedule) -> list[Click]:
    """The video events of one viewing."""
    log = ClickLog()
    at = StudySession(0, log, Random(seed), RESTLESS, now=3600.0, rate=1.0)
    watch(at, PlannedItem("v", "video", 1, minutes * 60.0, math.inf), share)
    table = log.table(["s"], schedule, frozenset(Kind), marks=True)
    films = table.filter(pl.col("kind").str.starts_with("video.")).select("kind", "time", "value")
    return [Click(kind, time.timestamp(), value) for kind, time, value in films.iter_rows()]


@pytest.mark.parametrize("minutes", [0.1, 1.0, 2.0, 7.5, 90.0])
@pytest.mark.parametrize("share", [0.2, 0.8, 1.0])
def test_a_viewing_stays_within_the_video_however_short(schedule: Schedule, minutes: float, share: float) -> None:
    for seed in range(30):
        clicks = viewing(seed, minutes, share, schedule)
        places, _ = replayed(clicks)
        assert clicks[0].kind == Kind.VIDEO_LOAD
        assert min(places) >= -0.1
        # A click takes a second at the least, in which a video of six seconds plays on.
        assert max(places) <= minutes * 60.0 + 2.0


def test_who_leaves_early_leaves_more_than_a_minute_and_who_stays_none(schedule: Schedule) -> None:
    for seed in range(30):
        left, whole = (replayed(viewing(seed, 10.0, share, schedule))[0][-1] for share in (0.95, 1.0))
        assert 60.0 < 600.0 - left < 90.0
        assert whole > 300.0


def test_a_restless_viewer_pauses_jumps_and_speeds_up(schedule: Schedule) -> None:
    clicks = [click for seed in range(10) for click in viewing(seed, 15.0, 1.0, schedule)]
    assert {click.kind for click in clicks} == {kind for kind in Kind if kind.startswith("video.")}
    jumps = [click.value for click in clicks if click.kind == Kind.VIDEO_SEEK and click.value]
    assert min(jumps) < -5.0 and max(jumps) > 5.0
    assert {click.value for click in clicks if click.kind == Kind.VIDEO_SPEED} <= {1.25, 1.5}


def test_in_a_whole_cohort_no_video_is_played_beyond_its_end_and_most_to_it(cohort: Cohort, schedule: Schedule) -> None:
    length = {item.id: item.minutes * 60.0 for item in schedule.items}
    local = pl.col("time").dt.convert_time_zone(ZONE).dt.replace_time_zone(None)
    week = (local - schedule.monday(1)).dt.total_days() // 7
    films = cohort.events.filter(pl.col("kind").str.starts_with("video.")).with_columns(
        week=week, visit=(pl.col("kind") == Kind.VIDEO_LOAD).cum_sum().over("student")
    )
    ended, rate, before = list[bool](), 1.0, ("", -1)
    for (student, now, _), table in films.group_by("student", "week", "visit", maintain_order=True):
        (video,) = table["object"].unique()
        rate = rate if (student, now) == before else 1.0  # the player forgets the speed by Monday
        before = (str(student), int(str(now)))
        clicks = [Click(kind, time.timestamp(), value) for kind, time, value in table["kind", "time", "value"].rows()]
        places, rate = replayed(clicks, rate)
        assert min(places) >= -0.1 and max(places) <= length[video] + 1.0
        ended.append(places[-1] > length[video] - 2.0)
    assert 0.5 < sum(ended) / len(ended) < 0.95
