"""What the schedule offers, as tables: each item, and how much of it there is in each week."""

from collections import Counter

import polars as pl

from data.schedule import Schedule

TABLE = {
    "item": pl.UInt32(),
    "id": pl.String(),
    "is_video": pl.Boolean(),
    "planned_week": pl.Int64(),
    "planned": pl.Datetime("us"),
    "length": pl.Float64(),
}


def items_of(schedule: Schedule) -> pl.DataFrame:
    """One row per scheduled video or problem.

    `length` is in seconds. `planned` is the local time from which the plan counts on it: its release,
    or the Monday of its week if it was released in an earlier week.
    """
    rows = [
        (
            number,
            item.id,
            item.kind == "video",
            item.week,
            max(schedule.wall(item.released), schedule.monday(item.week)),
            item.minutes * 60.0,
        )
        for number, item in enumerate(schedule.items)
    ]
    return pl.DataFrame(rows, schema=TABLE, orient="row")


def offered(schedule: Schedule) -> pl.DataFrame:
    """Per week the number of videos and problems it plans, and of those (later_…) in all weeks after it."""
    planned = Counter((item.kind, item.week) for item in schedule.items)
    weeks = range(1, schedule.weeks + 1)
    table = pl.DataFrame(
        {
            "week": weeks,
            "videos": [planned["video", week] for week in weeks],
            "problems": [planned["problem", week] for week in weeks],
        },
        schema=dict.fromkeys(("week", "videos", "problems"), pl.Int64),
    )
    rest = pl.col("videos", "problems")
    return table.with_columns((rest.cum_sum(reverse=True) - rest).name.prefix("later_"))
