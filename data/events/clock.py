"""Times as logs write them, read into UTC.

With an offset: 2026-09-07T21:40:58.123+02:00, 2026-09-07 21:40:58Z (seconds and fraction optional).
Local, as Moodle writes them in English and French, day before month: 7/09/26, 21:40:58 · 07.09.2026 21:40 ·
Monday, 7 September 2026, 9:40 PM · 7 sept. 26, 21:40 · lundi 7 septembre 2026, 21:40 · 2026-09-07 21:40:58.
"""

from datetime import timedelta

import polars as pl

_CLOCK = r"(?P<hour>\d{1,2})[:h](?P<minute>\d{2})(?::(?P<second>\d{2})(?:\.\d+)?)?(?:\s*(?P<half>[ap])\.?m\.?)?"
_DAY_FIRST = r"(?P<day>\d{1,2})(?:er)?[\s/.-]+(?P<month>\d{1,2}|\p{L}+)[\s/.-]+(?P<year>\d{4}|\d{2})"
_YEAR_FIRST = r"(?P<year>\d{4})-(?P<month>\d{2})-(?P<day>\d{2})"
_WEEKDAY = r"(?:\p{L}+\.?,?\s+)?"
SPELLINGS = tuple(rf"(?i)^{_WEEKDAY}{date}(?:,|\s|à|t)+{_CLOCK}$" for date in (_DAY_FIRST, _YEAR_FIRST))
_FIRST_LETTERS = (
    *(("jan",), ("feb", "fév", "fev"), ("mar",), ("apr", "avr"), ("may", "mai"), ("jun",)),
    *(("jul",), ("aug", "aoû", "aou"), ("sep",), ("oct",), ("nov",), ("dec", "déc")),
)
MONTHS = {word: number for number, words in enumerate(_FIRST_LETTERS, 1) for word in words}
"""By their first three letters, English and French; juin and juillet need four."""
PARTS = ("day", "month", "year", "hour", "minute", "second", "half")


def read_offset(texts: pl.Series) -> pl.Series:
    """ISO times as Datetime("us", "UTC"), null where unreadable; those without an offset are in UTC."""
    plain = texts.str.strip_chars().str.replace(" ", "T", literal=True).str.replace(r"(T[\d:.]+)$", "${1}Z")
    plain = plain.str.replace(r"(T\d+:\d+)([Z+-])", "${1}:00${2}")
    return plain.str.to_datetime("%Y-%m-%dT%H:%M:%S%.f%#z", time_unit="us", time_zone="UTC", strict=False)


def read_local(texts: pl.Series, timezone: str) -> pl.DataFrame:
    """Times written in local time: `time` (UTC, null where unreadable) and `month_first` (bool).

    An hour that is shown twice at the end of summer time is taken as the earlier. An hour that is skipped at its
    beginning moves forward. `month_first` marks dates that only make sense the American way round; they are not read.
    """
    plain = texts.str.replace_all(r"\s+", " ").str.strip_chars()
    parts = [plain.str.extract_groups(each).struct.unnest() for each in SPELLINGS]
    read = pl.DataFrame({name: parts[0][name].fill_null(parts[1][name]) for name in PARTS}).select(
        pl.col("day", "hour").cast(pl.Int64),
        pl.col("minute"),
        pl.col("second").fill_null("00"),
        half=pl.col("half").str.to_lowercase(),
        year=pl.when(pl.col("year").str.len_chars() == 2).then(pl.lit("20")).otherwise(pl.lit("")) + pl.col("year"),
        month=pl.col("month").cast(pl.Int64, strict=False).fill_null(_month(pl.col("month").str.to_lowercase())),
    )
    afternoon = pl.when(pl.col("half") == "p").then(12).otherwise(0)
    hour = pl.when(pl.col("half").is_null()).then(pl.col("hour")).otherwise(pl.col("hour") % 12 + afternoon)
    canonical = pl.format("{}-{}-{} {}:{}:{}", "year", "month", "day", hour, "minute", "second")
    wall = read.select(wall=canonical.str.to_datetime("%Y-%m-%d %H:%M:%S", time_unit="us", strict=False))["wall"]
    swapped = pl.col("month").is_between(13, 31) & (pl.col("day") <= 12)
    return read.select(to_utc(wall, timezone).alias("time"), month_first=swapped.fill_null(False))


def _month(word: pl.Expr) -> pl.Expr:
    short = word.str.slice(0, 3).replace_strict(MONTHS, default=None, return_dtype=pl.Int64)
    return pl.when(word.str.starts_with("juin")).then(6).when(word.str.starts_with("juil")).then(7).otherwise(short)


def to_utc(wall: pl.Series, timezone: str) -> pl.Series:
    """UTC of what the clock on the wall of a zone shows; see `read_local` for summer time."""
    time = _localize(wall, timezone)
    if time.null_count() > wall.null_count():
        day = timedelta(days=1)  # the offset of the day before is that of just before the clock jumped
        time = time.fill_null(_localize(wall - day, timezone) + day)
    return time


def _localize(wall: pl.Series, timezone: str) -> pl.Series:
    local = wall.dt.replace_time_zone(timezone, ambiguous="earliest", non_existent="null")
    return local.dt.convert_time_zone("UTC")
