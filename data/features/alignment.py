"""Whether a student keeps to the plan: the week's own material, and that of later weeks."""

import polars as pl

from data.features.activity import FULL_MARKS
from data.features.timeline import IS_NOW, Timeline, count_offered, tabulate_items
from data.features.videos import count_interrupted

IS_VIDEO_ITEM = pl.col("is_video")
IS_LATER = pl.col("planned_week") > pl.col("week")


def find_touched(line: Timeline) -> pl.LazyFrame:
    """One row per cell and scheduled item with an event of its kind in that week.

    Columns: cell, week, the item's of `tabulate_items`, first (time of the first event), days (how many days lie
    between the first and the last, by the local date), best (a problem's best mark).
    """
    day = pl.col("hour") // 24
    return (
        line.log.lazy()
        .filter(pl.col("item").is_not_null())
        .group_by("cell", "item")
        .agg(first=pl.col("time").min(), days=day.max() - day.min(), best=pl.col("value").max())
        .join(tabulate_items(line.schedule).lazy(), on="item")
        .with_columns(week=line.week())
    )


def share(count: str, of: str) -> pl.Expr:
    """A count over what the week offers: 0 if nothing was counted, null if nothing is offered."""
    return pl.when(pl.col(of) > 0).then(pl.col(count).fill_null(0) / pl.col(of))


def measure_alignment(touches: pl.LazyFrame, films: pl.LazyFrame, line: Timeline) -> pl.LazyFrame:
    """Shares of the plan, 0..1, also in weeks without any event: 0 then (Marras et al. 2021, Lallé & Conati 2020).

    An item is touched in a week if there is an event on it, be it a single one.

    ContentAlignment: the week's videos touched in it / the week's videos; null in a week without videos.
    ContentAnticipation: videos of later weeks touched / videos of all later weeks; null without these.
    CompetencyAlignment: the week's problems with full marks in it / the week's problems; null in a week
    without problems, and where a problem of the week was tried without ever getting a mark.
    CompetencyAnticipation: as ContentAnticipation, with problems tried.
    AvgWatchedWeeklyProp: the same as ContentAlignment.
    AvgReplayedWeeklyProp: the week's videos touched on two dates or more of it / the week's videos.
    AvgInterruptedWeeklyProp: those that `count_interrupted` finds / the week's videos.
    Std…: the deviation of these three over the weeks looked at, and this is one: 0.
    """
    is_problem = IS_VIDEO_ITEM.not_()
    counts = touches.group_by("cell").agg(
        videos_now=(IS_VIDEO_ITEM & IS_NOW).sum(),
        videos_early=(IS_VIDEO_ITEM & IS_LATER).sum(),
        replayed=(IS_VIDEO_ITEM & IS_NOW & (pl.col("days") > 0)).sum(),
        solved=(is_problem & IS_NOW & (pl.col("best") >= FULL_MARKS)).sum(),
        unmarked=(is_problem & IS_NOW & pl.col("best").is_null()).any(),
        problems_early=(is_problem & IS_LATER).sum(),
    )
    is_marked = pl.col("unmarked").fill_null(False).not_()
    viewed = {"Watched": "videos_now", "Replayed": "replayed", "Interrupted": "interrupted"}
    shares = {name: share(count, "videos") for name, count in viewed.items()}
    return (
        line.cells.lazy()
        .join(count_offered(line.schedule).lazy(), on="week")
        .join(counts, on="cell", how="left")
        .join(count_interrupted(films, line), on="cell", how="left")
        .select(
            "cell",
            ContentAlignment=share("videos_now", "videos"),
            ContentAnticipation=share("videos_early", "later_videos"),
            CompetencyAlignment=pl.when(is_marked).then(share("solved", "problems")),
            CompetencyAnticipation=share("problems_early", "later_problems"),
            **{f"Avg{name}WeeklyProp": value for name, value in shares.items()},
            **{f"Std{name}WeeklyProp": value * 0.0 for name, value in shares.items()},
        )
    )


def measure_delay(touches: pl.LazyFrame, line: Timeline) -> pl.LazyFrame:
    """DelayLecture (seconds): mean over the week's videos touched in it (Boroujeni et al. 2016).

    Of each, local time of the first event in that week - the time it is planned for, which is its release,
    or the week's Monday if it was released in an earlier week; negative before the release. A view in an
    earlier week is not seen. Null if none of the week's videos was touched.
    """
    first = pl.col("first").dt.convert_time_zone(line.schedule.timezone).dt.replace_time_zone(None)
    # Whole numbers add up to the same whatever their order, which depends on the threads.
    late = (first - pl.col("planned")).dt.total_microseconds().mean()
    return touches.filter(IS_VIDEO_ITEM & IS_NOW).group_by("cell").agg(DelayLecture=late / 1e6)
