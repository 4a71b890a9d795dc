"""One table for the clicks of every platform: who did what to which thing, and when.

An event table has these columns, and a file of events in our own form is parquet with exactly them:

    student   String
    time      Datetime("us", "UTC")
    kind      String, one of `Kind`
    object    String, the id of the video, problem, page or forum thread
    value     Float64, null where the kind has none: see `Kind`
"""

from enum import StrEnum

import polars as pl


class Kind(StrEnum):
    """What can be done. Three kinds bear a value, written behind them."""

    VIDEO_LOAD = "video.load"
    VIDEO_PLAY = "video.play"
    VIDEO_PAUSE = "video.pause"
    VIDEO_SEEK = "video.seek"  # seconds jumped, negative backward
    VIDEO_STOP = "video.stop"
    VIDEO_SPEED = "video.speed"  # the new playback rate, 1 is normal
    PROBLEM_CHECK = "problem.check"  # share of full marks, 0 to 1
    FORUM_VIEW = "forum.view"
    FORUM_POST = "forum.post"
    PAGE_VIEW = "page.view"


SCHEMA = pl.Schema(
    {
        "student": pl.String(),
        "time": pl.Datetime("us", "UTC"),
        "kind": pl.String(),
        "object": pl.String(),
        "value": pl.Float64(),
    }
)
COLUMNS = tuple(SCHEMA)
