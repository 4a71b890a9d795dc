"""edX tracking logs: one JSON object a line, in UTC, after the edX Research Guide ("Events in the Tracking Logs").

The browser's problem_check is the same click as the server's and is not counted twice. Where a check has no marks,
`success` stands for them: edX calls incorrect (0) whatever did not get full marks, which may be less than was earned.
"""

from collections.abc import Iterator
from pathlib import Path

import polars as pl

from data.events.clock import read_offset
from data.events.lines import decode_json
from data.events.schema import EventBatch, Kind
from data.texts import QUOTED

TOP = pl.Schema(
    {
        "event_type": pl.String(),
        "name": pl.String(),
        "event_source": pl.String(),
        "username": pl.String(),
        "time": pl.String(),
        "event": pl.String(),
        "page": pl.String(),
        "context": pl.Struct({"user_id": pl.String()}),
    }
)
PAYLOAD = pl.Schema(
    {
        **dict.fromkeys(("id", "module_id", "problem_id", "success", "commentable_id"), pl.String()),
        **dict.fromkeys(("old_time", "new_time", "new_speed", "grade", "max_grade"), pl.String()),
        "discussion": pl.Struct({"id": pl.String()}),
    }
)
KINDS = {
    **dict.fromkeys(("load_video", "edx.video.loaded"), Kind.VIDEO_LOAD),
    **dict.fromkeys(("play_video", "edx.video.played"), Kind.VIDEO_PLAY),
    **dict.fromkeys(("pause_video", "edx.video.paused"), Kind.VIDEO_PAUSE),
    **dict.fromkeys(("stop_video", "edx.video.stopped"), Kind.VIDEO_STOP),
    **dict.fromkeys(("seek_video", "edx.video.position.changed"), Kind.VIDEO_SEEK),
    "speed_change_video": Kind.VIDEO_SPEED,
    **dict.fromkeys(("problem_check", "save_problem_check"), Kind.PROBLEM_CHECK),
    **{f"edx.forum.{what}.created": Kind.FORUM_POST for what in ("thread", "response", "comment")},
    **dict.fromkeys(("edx.forum.thread.viewed", "edx.forum.searched"), Kind.FORUM_VIEW),
    **dict.fromkeys(("seq_goto", "seq_next", "seq_prev", "book"), Kind.PAGE_VIEW),
    **{f"edx.ui.lms.sequence.{what}_selected": Kind.PAGE_VIEW for what in ("next", "previous", "tab")},
    **dict.fromkeys(("edx.ui.lms.outline.selected", "edx.ui.lms.link_clicked"), Kind.PAGE_VIEW),
}
SOLVED = {"correct": 1.0, "incorrect": 0.0}
NUMBERS = ("old_time", "new_time", "new_speed", "grade", "max_grade")
PAGE = (
    r"^/courses/.+/(?:courseware|course|home|info|about|progress|syllabus|dates|bookmarks|wiki|pdfbook"
    r"|jump_to|jump_to_id|discussion/forum)(?:/|\?|$)"
)
REQUEST = r"/(?:xblock|modx|handler|instructor|api)/"
OTHER_REQUEST = "(another request to the server)"

BLOCK_ID = r"(?:block@|^i4x://.+/|^i4x-.+?-(?:video|videoalpha|problem|sequential)-)([^/@?]+)$"
"""Browser, server and app write one id in three ways; what they have in common is its end."""


def read_batches(blocks: Iterator[pl.DataFrame], path: Path, timezone: str) -> Iterator[EventBatch]:
    """Sort the lines of a file (`lines.read_blocks`); its times are in UTC."""
    return map(read_batch, blocks)


def read_batch(block: pl.DataFrame) -> EventBatch:
    """Sort one block of lines: columns `line`, `text`."""
    top = decode_json(block["text"], TOP, absent="is not UTF-8 text").insert_column(0, block["line"])
    nameless = pl.col("event_type").is_null() & pl.col("name").is_null()
    top = top.with_columns(
        kind=_choose_kind(), reason=pl.coalesce("reason", pl.when(nameless).then(pl.lit("has no event_type")))
    )
    understood = top.filter(pl.col("reason").is_null())
    unknown = understood.filter(pl.col("kind").is_null()).select(name=_name_unknown())["name"]
    known = _complete(understood.filter(pl.col("kind").is_not_null()))
    return EventBatch.of(known, unknown, top.filter(pl.col("reason").is_not_null()))


def _complete(rows: pl.DataFrame) -> pl.DataFrame:
    """Rows of known kinds with all that `EventBatch.of` asks for."""
    payload = decode_json(rows["event"], PAYLOAD, absent="is absent")
    rows = rows.drop("reason").hstack(payload.rename({"reason": "unreadable"}))
    rows = rows.with_columns(read_offset(rows["time"]), student=_choose_student(), object=_choose_object())
    rows = rows.with_columns(_parse_number(name) for name in NUMBERS)
    page = pl.col("kind") == Kind.PAGE_VIEW
    nobody = page & pl.col("student").is_null()
    return rows.with_columns(value=_compute_value(), nobody=nobody, reason=pl.when(~page).then(_explain_fault()))


def _choose_kind() -> pl.Expr:
    kind = pl.coalesce(pl.col("event_type", "name").replace_strict(KINDS, default=None, return_dtype=pl.String))
    checked_twice = (kind == Kind.PROBLEM_CHECK) & pl.col("event_source").ne_missing("server")
    path = pl.col("event_type")
    page = path.str.starts_with("/") & path.str.contains(PAGE) & ~path.str.contains(REQUEST)
    return pl.when(page).then(pl.lit(Kind.PAGE_VIEW.value)).when(~checked_twice).then(kind)


def _name_unknown() -> pl.Expr:
    """What to call a kind that is not kept: names only, for addresses are as many as there are lines."""
    name = pl.coalesce("event_type", "name")
    return pl.when(name.str.starts_with("/")).then(pl.lit(OTHER_REQUEST)).otherwise(name.str.slice(0, 80))


def _drop_empty(name: pl.Expr) -> pl.Expr:
    stripped = name.str.strip_chars()
    return pl.when(stripped != "").then(stripped)


def _choose_student() -> pl.Expr:
    user_id = _drop_empty(pl.col("context").struct.field("user_id")).str.strip_suffix(".0")
    return pl.coalesce(user_id, _drop_empty(pl.col("username")))


def _choose_object() -> pl.Expr:
    path = pl.when(pl.col("event_type").str.starts_with("/")).then("event_type")
    url = pl.col("page").str.replace(r"^\w+://[^/]*", "")
    thread = pl.coalesce(
        pl.col("discussion").struct.field("id"), pl.col("id"), pl.col("commentable_id"), pl.lit("forum")
    )
    kind = pl.col("kind")
    named = (
        pl.when(kind.str.starts_with("video."))
        .then(pl.coalesce("id", "module_id"))
        .when(kind.str.starts_with("problem."))
        .then("problem_id")
        .when(kind.str.starts_with("forum."))
        .then(thread)
        .otherwise(pl.coalesce(path, "id", url, pl.lit("page")))
    )
    whole = named.str.replace(r"[?#].*$", "").str.strip_chars_end("/")
    return _drop_empty(pl.coalesce(whole.str.extract(BLOCK_ID), whole))


def _parse_number(name: str) -> pl.Expr:
    """The number in a field as `name_number`, null where there is none or it is not finite."""
    number = pl.col(name).cast(pl.Float64, strict=False)
    return pl.when(number.is_finite()).then(number).alias(f"{name}_number")


def _compute_value() -> pl.Expr:
    seek = pl.col("new_time_number") - pl.col("old_time_number")
    most = pl.col("max_grade_number")
    solved = pl.col("success").replace_strict(SOLVED, default=None, return_dtype=pl.Float64)
    share = pl.when(most > 0).then(pl.col("grade_number") / most)
    kind = pl.col("kind")
    return (
        pl.when(kind == Kind.VIDEO_SEEK)
        .then(seek)
        .when(kind == Kind.VIDEO_SPEED)
        .then("new_speed_number")
        .when(kind == Kind.PROBLEM_CHECK)
        .then(pl.coalesce(share, pl.when(most.is_null()).then(solved)))
    )


def _explain_fault() -> pl.Expr:
    """Why a row that is no page view is malformed, null if it is not."""
    grade, most = pl.col("grade_number"), pl.col("max_grade_number")
    marks = [pl.col(name).str.slice(0, QUOTED) for name in ("grade", "max_grade")]
    faults = [
        (pl.col("unreadable").is_not_null(), pl.format("its event {}", "unreadable")),
        (pl.col("student").is_null(), pl.lit("has no user")),
        (pl.col("object").is_null(), pl.format("{} does not say of what", pl.coalesce("event_type", "name"))),
        (
            (pl.col("kind") == Kind.VIDEO_SPEED) & (pl.col("new_speed_number").fill_null(0) <= 0),
            pl.lit("has no new_speed above 0"),
        ),
        (~grade.is_between(0, most), pl.format("its grade, {}, is not from 0 to its maximum, {}", *marks)),
    ]
    return pl.coalesce(pl.when(holds).then(reason) for holds, reason in faults)
