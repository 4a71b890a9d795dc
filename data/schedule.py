"""The schedule of a course: which videos and problems belong to which week, and when they appear.

`schedule.toml`: the Monday of week 1, the time zone, the weeks, and [[items]], whose `released` (else their week's
Monday) and `due` (else never) are local without an offset.
"""

from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal
from zoneinfo import ZoneInfo

from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field

from data.bundle_files import Location, check_distinct, list_entries, parse_entries, read_toml
from data.course import BundleError
from data.texts import Text

FILE = "schedule.toml"
WEEK = timedelta(days=7)
FIRST_YEAR = 1970

ItemKind = Literal["video", "problem"]


def _moment(raw: object) -> object:
    # Without this a number would be taken for seconds since 1970.
    if isinstance(raw, datetime):
        return raw
    if isinstance(raw, date):
        return datetime.combine(raw, time())
    raise ValueError("must be a date or a time, such as 2026-09-14 or 2026-09-14T08:00:00 without quotes")


Moment = Annotated[datetime, BeforeValidator(_moment)]


def check_zone(name: str) -> str:
    """The name of a time zone as it is; raises ValueError for any other."""
    try:
        ZoneInfo(name)
    except (KeyError, ValueError, OSError) as error:  # OSError: the name of a folder of zones, such as "Europe"
        raise ValueError(f'{name!r} is no time zone; write one such as "Europe/Zurich"') from error
    return name


@dataclass(frozen=True, slots=True)
class ScheduledItem:
    """A video or a problem, the week that plans it, and the minutes it takes (a video's length)."""

    __pydantic_config__: ClassVar = ConfigDict(extra="forbid")

    id: Text
    kind: ItemKind
    week: int
    released: Moment
    due: Moment | None
    minutes: Annotated[float, Field(gt=0, le=1440)]


@dataclass(frozen=True, slots=True)
class Schedule:
    """What a course offers when, from Monday 00:00 of week 1; a time without an offset is local, of `timezone`."""

    __pydantic_config__: ClassVar = ConfigDict(extra="forbid")

    start: Moment
    timezone: Annotated[str, AfterValidator(check_zone)]
    weeks: Annotated[int, Field(ge=1, le=104)]
    items: tuple[ScheduledItem, ...]

    def wall(self, moment: datetime) -> datetime:
        """What the course's wall clock shows at a moment: the local time, without an offset."""
        if moment.tzinfo is None:
            return moment
        return moment.astimezone(ZoneInfo(self.timezone)).replace(tzinfo=None)

    def monday(self, week: int) -> datetime:
        """The local time at which a week begins."""
        return self.wall(self.start) + (week - 1) * WEEK

    def week_of(self, moment: datetime) -> int | None:
        """The week in which a moment lies; None before the first and after the last."""
        week = (self.wall(moment) - self.wall(self.start)) // WEEK + 1
        return week if 1 <= week <= self.weeks else None


def read_schedule(folder: Path, bundle: Location) -> Schedule | None:
    """The schedule as far as it can be read, what is wrong with it noted; None without its head."""
    file = bundle.within(FILE)
    content = read_toml(folder, file)
    if content is None:
        return None
    entries = list_entries(content, "items", file)
    heads = parse_entries(Schedule, [(file, content | {"items": ()})])
    if not heads:
        return None
    empty = heads[0][1]
    items = parse_entries(ScheduledItem, [(place, _add_times(entry, empty)) for place, entry in entries])
    schedule = replace(empty, items=tuple(item for _, item in items))
    start = schedule.wall(schedule.start)
    monday = start.weekday() == 0 and start.time() == time()
    file.at("start").require(monday, f"must be a Monday at 00:00 local time, not {start:%A %Y-%m-%d %H:%M}")
    _check_items(items, schedule)
    return schedule


def shift_schedule(schedule: Schedule, start: date | None = None) -> Schedule:
    """The schedule with week 1 on the Monday `start`, or 52 weeks earlier, by the wall clock. Raises BundleError."""
    begins = schedule.wall(schedule.start)
    if start is not None and start.weekday():
        raise BundleError(f"the earlier run must start on a Monday; {start} is a {start:%A}")
    if start is not None and start.year < FIRST_YEAR:
        raise BundleError(f"the earlier run must start in {FIRST_YEAR} or later, not on {start}: no log is older")
    by = -52 * WEEK if start is None else datetime.combine(start, time()) - begins

    def moved(moment: datetime) -> datetime:
        return schedule.wall(moment) + by

    items = (
        replace(item, released=moved(item.released), due=None if item.due is None else moved(item.due))
        for item in schedule.items
    )
    return replace(schedule, start=begins + by, items=tuple(items))


def _add_times(entry: Any, schedule: Schedule) -> Any:
    """An entry as written, with the times that it leaves out."""
    if not isinstance(entry, dict):
        return entry
    week = entry.get("week")
    known = week if isinstance(week, int) and 1 <= week <= schedule.weeks else 1
    return {"released": schedule.monday(known), "due": None} | entry


def _check_items(items: list[tuple[Location, ScheduledItem]], schedule: Schedule) -> None:
    check_distinct(((place, item.id) for place, item in items), "id")
    for place, item in items:
        if not place.between("week", item.week, 1, schedule.weeks):
            continue
        released = schedule.wall(item.released)
        late = f"is released on {released:%Y-%m-%d %H:%M}, after the end of week {item.week}"
        place.require(released < schedule.monday(item.week + 1), late)
        due = item.due and schedule.wall(item.due)
        place.require(due is None or due >= released, "is due before it is released")
