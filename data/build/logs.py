"""From a run's logs, held against the schedule and the list of students, to the behaviour of its students."""

import dataclasses
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from data.behaviour import DIGITS, Behaviour
from data.build.sources import BuildSources, BuildSteps, Tolerance
from data.course import BundleError
from data.events.formats import OWN
from data.events.reading import LogCounts, read_events
from data.events.schema import COLUMNS, SCHEMA, Kind
from data.features.timeline import IS_PROBLEM, IS_VIDEO, select_weeks
from data.features.weekly import weekly_features
from data.schedule import Schedule
from data.texts import quote
from scribe.plumbing.progress import OnCount

SHOWN = 3


@dataclass(frozen=True, slots=True)
class CourseRun:
    """One run of the course: what it is called in messages, when it was, who was enrolled, its logs."""

    name: str
    schedule: Schedule
    students: Sequence[str]
    logs: Sequence[Path]


def measure_run(
    run: CourseRun, weeks: int, sources: BuildSources, work: Path, tolerance: Tolerance, steps: BuildSteps
) -> tuple[Behaviour, LogCounts]:
    """The behaviour of the enrolled in these weeks, missing where the log knows nothing of them; and its counts."""
    timezone = sources.timezone or run.schedule.timezone
    out = work / f"{run.name.split()[0]}.parquet"
    with steps.step(f"reading the logs of the {run.name}") as on_count:
        log, counts = read_log(run.logs, sources.format, timezone, out, tolerance, on_count)
    with steps.step(f"measuring the behaviour of the {run.name}") as on_count:
        named = f"{run.name} ({', '.join(map(str, run.logs))})"
        events, counts = select_enrolled(log, counts, run.students, run.schedule, weeks, named)
        table = weekly_features(events, run.schedule, weeks, on_count)
        behaviour = Behaviour.of(table, run.students, weeks)
    # Rounded before anything is learned, so that what is stored is what was predicted and explained from.
    return dataclasses.replace(behaviour, values=behaviour.values.round(DIGITS)), counts


def read_log(
    paths: Sequence[Path], kind: str, timezone: str, out: Path, tolerance: Tolerance, on_count: OnCount
) -> tuple[pl.LazyFrame, LogCounts]:
    """The events of all files; logs of a platform are put into `out` first. Raises BundleError."""
    if kind == OWN:
        return _scan_parquet(paths, on_count)
    counts, problems = read_events(paths, out, kind, timezone, tolerance.left_for_logs, on_count)
    tolerance.skip_lines(counts.malformed, problems)
    return pl.scan_parquet(out), counts


def _scan_parquet(paths: Sequence[Path], on_count: OnCount) -> tuple[pl.LazyFrame, LogCounts]:
    rows = 0
    for number, path in enumerate(paths, start=1):
        rows += _check_parquet(path)
        on_count(number, len(paths))
    if not rows:
        raise BundleError(f"{', '.join(map(str, paths)) or 'no file'}: holds no event")
    return pl.concat([pl.scan_parquet(path).select(COLUMNS) for path in paths]), LogCounts(rows, rows)


def _check_parquet(path: Path) -> int:
    """The rows of a file in our own form; raises BundleError unless it has the columns and kinds of the schema."""
    try:
        table = pl.scan_parquet(path, glob=False)
        found, rows = table.collect_schema(), int(table.select(pl.len()).collect().item())
    except (OSError, pl.exceptions.PolarsError) as error:
        raise BundleError(f"{path}: is not a readable parquet file: {str(error).splitlines()[0]}") from error
    for name, kind in SCHEMA.items():
        if found.get(name) != kind:
            has = found.get(name, "no such column")
            raise BundleError(f"{path}: column {name!r} must be of type {kind}, not {has}")
    known = pl.col("kind").is_in([kind.value for kind in Kind]).fill_null(False)
    named = pl.all_horizontal(pl.col("student", "time", "object").is_not_null())
    bad = table.with_row_index("row", 1).filter(~(known & named)).head(1).collect()
    for row, *values in bad.iter_rows():
        kinds = ", ".join(Kind)
        shown = ", ".join(quote(each) if isinstance(each, str) else str(each) for each in values)
        raise BundleError(f"{path}:{row}: is no event: ({shown}); kinds are {kinds}, and only value may be null")
    return rows


def select_enrolled(
    log: pl.LazyFrame, counts: LogCounts, students: Collection[str], schedule: Schedule, weeks: int, what: str
) -> tuple[pl.LazyFrame, LogCounts]:
    """The clicks of the enrolled in these weeks, and all counts. Raises BundleError where logs are of another run."""
    within_weeks = select_weeks(log, schedule, weeks)
    clicks = within_weeks.group_by("student").len().collect()
    if not clicks.height:
        raise BundleError(_explain_span(log, schedule, weeks, what))
    mine = clicks.filter(pl.col("student").is_in(list(students)))
    if not mine.height:
        seen, wanted = _list_some(clicks["student"].sort()), _list_some(sorted(students))
        raise BundleError(f"{what}: no student of the list ({wanted}) is in the log, which has {seen}")
    inside, used = int(clicks["len"].sum()), int(mine["len"].sum())
    others, silent = clicks.height - mine.height, len(students) - mine.height
    events = within_weeks.filter(pl.col("student").is_in(list(students)))
    _check_reach(events, schedule, weeks, what)
    _check_items(events, schedule, what)
    counted = dataclasses.replace(
        counts, outside=counts.kept - inside, others=others, others_clicks=inside - used, silent=silent, used=used
    )
    return events, counted


def _explain_span(log: pl.LazyFrame, schedule: Schedule, weeks: int, what: str) -> str:
    times = log.select(first=pl.col("time").min(), last=pl.col("time").max()).collect()
    first, last = times.select(pl.all().dt.strftime("%Y-%m-%d")).row(0)
    begins, ends = schedule.monday(1), schedule.monday(weeks + 1)
    return (
        f"{what}: the log spans {first} to {last} and has no event in weeks 1 to {weeks}, "
        f"{begins:%Y-%m-%d} to {ends:%Y-%m-%d}; is the schedule's start right?"
    )


def _check_reach(events: pl.LazyFrame, schedule: Schedule, weeks: int, what: str) -> None:
    """A log that ends early would make all students idle in the weeks it does not cover."""
    last = events.select(pl.col("time").max()).collect().item()
    reached = schedule.week_of(last) or 0
    if reached < weeks:
        raise BundleError(
            f"{what}: the log ends on {last:%Y-%m-%d}, in week {reached}, but course.toml says weeks_done = {weeks}"
        )


def _check_items(events: pl.LazyFrame, schedule: Schedule, what: str) -> None:
    """The log and the schedule must call videos and problems by the same names, or nothing can be measured."""
    objects = events.filter(IS_VIDEO | IS_PROBLEM).select("object").unique().collect()["object"]
    listed = {item.id for item in schedule.items}
    if len(objects) and not listed & set(objects):
        raise BundleError(
            f"{what}: no video or problem of the log is in schedule.toml; the log has {_list_some(objects.sort())}, "
            f"the schedule {_list_some(sorted(listed))}"
        )


def _list_some(names: Sequence[str] | pl.Series) -> str:
    shown = ", ".join(map(quote, names[:SHOWN]))
    return f"{shown}, …" if len(names) > SHOWN else shown
