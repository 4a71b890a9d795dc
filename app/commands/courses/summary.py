"""What a build tells a person at its end."""

from collections.abc import Iterator

from data.build.run import BuildResult
from data.events.reading import LogCounts

SHOWN = 10


def summarise(built: BuildResult) -> str:
    """The figures of a build, a subject a line."""
    return "\n".join(_list_lines(built))


def _list_lines(built: BuildResult) -> Iterator[str]:
    record = built.record
    yield f"{record.course}: weeks 1 to {record.weeks}, written to {built.folder}"
    yield _line("students", f"{record.students}, of whom {record.predicted_to_pass} are predicted to pass")
    for run, counts in record.logs.items():
        yield _line(run, _describe_clicks(counts))
    yield _line("features", f"{len(record.features)} are read: {', '.join(record.features)}")
    quality = record.quality
    tested = f"tested on the {quality.students} students of the earlier run ({quality.passed:.0%} passed)"
    yield _line("predictor", tested)
    yield from (f"  {line}" for line in quality.table().splitlines())
    share = record.explained / record.students
    yield _line("explained", f"{record.explained} of {record.students} predictions ({share:.1%})")
    written = ", ".join(f"{count} {source}" for source, count in record.reports.items())
    yield _line("reports", f"{written}, each checked against the student's data")
    if record.skipped_rows:
        yield _line("skipped", f"{record.skipped_rows} bad lines or rows")
        yield from (f"  {problem}" for problem in built.skipped[:SHOWN])
    yield _line("seconds", _describe_seconds(built))


def _line(subject: str, text: str) -> str:
    return f"{subject:<13}{text}"


def _describe_clicks(counts: LogCounts) -> str:
    """What became of a run's log; what is 0 is not told."""
    left_out = {
        "duplicates": counts.duplicates,
        "malformed": counts.malformed,
        "by nobody": counts.nobody,
        "of unknown kinds": sum(counts.unknown.values()),
        "outside these weeks": counts.outside,
        f"by {counts.others} who are not enrolled": counts.others_clicks,
    }
    parts = [f"{number:,} {what}" for what, number in left_out.items() if number]
    told = f"{counts.used:,} clicks used of {counts.rows:,} rows"
    told += f" (left out: {', '.join(parts)})" if parts else ""
    return f"{told}; {counts.silent} students without any" if counts.silent else told


def _describe_seconds(built: BuildResult) -> str:
    steps = [f"{name} {seconds:.1f}" for name, seconds in built.seconds.items()]
    return f"{sum(built.seconds.values()):.0f} in all: {', '.join(steps)}"
