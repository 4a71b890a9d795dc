"""Logs become one file, whole or not at all, and every row that was read is accounted for."""

import random
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from data.course import BundleError
from data.events.reading import LogCounts, read_events
from data.events.schema import SCHEMA, EventsError, TooManyErrors
from tests.data.events.written_logs import ENGLISH, FRENCH, check, edx, row, write

BAD = '{"event_type" "play_video"}'


@pytest.fixture
def out(tmp_path: Path) -> Path:
    (tmp_path / "made").mkdir()
    return tmp_path / "made" / "events.parquet"


def accounted(done: LogCounts) -> int:
    return done.kept + done.duplicates + done.nobody + done.malformed + sum(done.unknown.values())


def test_a_log_becomes_a_table_of_our_own_form_sorted_by_student_and_time(tmp_path: Path, out: Path) -> None:
    lines = [edx(time=f"2026-09-14T10:{n:02}:00Z", context={"user_id": f"s{n % 3}"}) for n in range(60)]
    random.Random(1).shuffle(lines)
    done, _ = read_events([write(tmp_path / "log.gz", lines)], out, "edx")
    events = pl.read_parquet(out)
    assert events.schema == SCHEMA
    assert events.height == done.kept == done.rows == 60
    assert events.equals(events.sort("student", "time"))
    assert events["student"].unique(maintain_order=True).to_list() == ["s0", "s1", "s2"]


def test_every_row_is_accounted_for(tmp_path: Path, out: Path) -> None:
    about = edx("/courses/x/about", context={}, username="")
    first = write(tmp_path / "1.log", [edx(), edx(), check(), BAD, edx("page_close"), about])
    second = write(tmp_path / "2.log", ["", edx("page_close"), edx("showanswer"), edx(), "nonsense"])
    done, problems = read_events([first, second], out, "edx")
    assert (done.rows, done.kept, done.duplicates, done.nobody) == (10, 2, 2, 1)
    assert list(done.unknown.items()) == [("page_close", 2), ("showanswer", 1)]
    assert done.malformed == 2
    assert problems == [
        f"{first}:4: is not JSON: Expecting ':' delimiter at column 15",
        f"{second}:5: is not a JSON object",
    ]
    assert accounted(done) == done.rows


def test_french_and_english_exports_of_one_log_are_one(tmp_path: Path, out: Path) -> None:
    english = write(tmp_path / "en.csv", [ENGLISH, row(), row(time="25/10/26, 02:30")])
    french = write(tmp_path / "fr.csv", [FRENCH, row(event="Module de cours consulté", time="14 sept. 26, 12:00:05")])
    done, _ = read_events([english, french], out, "moodle", timezone="Europe/Zurich")
    assert (done.rows, done.kept, done.duplicates) == (3, 2, 1)
    assert [f"{time:%d.%m. %H:%M}" for time in pl.read_parquet(out)["time"]] == ["14.09. 10:00", "25.10. 00:30"]


def test_reading_the_same_log_twice_gives_the_same_file(tmp_path: Path, out: Path) -> None:
    path = write(tmp_path / "log", [edx(event={"id": f"v{n % 7}"}) for n in range(50)])
    read_events([path], out, "edx")
    before = out.read_bytes()
    done, _ = read_events([path, path], out, "edx")
    assert out.read_bytes() == before
    assert (done.kept, done.duplicates) == (7, 93)


def test_too_many_malformed_lines_stop_the_reading_with_the_first_of_them(tmp_path: Path, out: Path) -> None:
    path = write(tmp_path / "log", [edx(), *[BAD] * 12, edx()])
    assert read_events([path], out, "edx", max_errors=12)[0].malformed == 12
    out.write_text("what was there before")
    with pytest.raises(TooManyErrors) as caught:
        read_events([path], out, "edx", max_errors=11)
    assert isinstance(caught.value, BundleError)
    assert len(caught.value.problems) == 12
    message = str(caught.value).splitlines()
    assert message[0] == "too many lines of the logs are malformed, and at most 11 may be skipped:"
    assert message[1].startswith(f"  {path}:2: is not JSON")
    assert len(message) == 11
    assert out.read_text() == "what was there before"
    assert list(out.parent.iterdir()) == [out]


def test_a_log_that_cannot_be_read_at_all_says_which_lines_and_why(tmp_path: Path, out: Path) -> None:
    path = write(tmp_path / "log", ["<html>", BAD, "", "[1]", "login"])
    with pytest.raises(EventsError, match="no event could be used; of 4 rows there are 4 malformed") as caught:
        read_events([path], out, "edx")
    first, *problems = str(caught.value).splitlines()
    assert first.endswith("; the first malformed are:")
    assert [problem.split(": ")[0] for problem in problems] == [f"  {path}:{line}" for line in (1, 2, 4)]
    assert "is not a JSON object" in problems[0]


def test_a_gz_that_breaks_off_leaves_nothing_behind(tmp_path: Path, out: Path) -> None:
    good = write(tmp_path / "good.gz", [edx()])
    path = write(tmp_path / "log.gz", [edx(event={"id": f"{n * 7919 % 10007}"}) for n in range(3000)])
    path.write_bytes(path.read_bytes()[:-2000])
    with pytest.raises(EventsError, match=r"log\.gz: the gz file is broken somewhere after line 0: "):
        read_events([good, path], out, "edx", max_errors=0)
    assert list(out.parent.iterdir()) == []


def test_a_file_that_is_not_there_is_found_out_before_any_is_read(tmp_path: Path, out: Path) -> None:
    told: list[Any] = []
    with pytest.raises(EventsError, match="absent: cannot be read: No such file"):
        read_events(
            [write(tmp_path / "log", [edx()]), tmp_path / "absent"], out, "edx", progress=lambda *at: told.append(at)
        )
    assert told == []


def test_an_empty_file_among_others_is_an_error(tmp_path: Path, out: Path) -> None:
    with pytest.raises(EventsError, match=r"2\.log: the file is empty"):
        read_events([write(tmp_path / "1.log", [edx()]), write(tmp_path / "2.log", [])], out, "edx")
    assert not out.exists()


def test_a_log_without_a_single_event_says_what_it_held(tmp_path: Path, out: Path) -> None:
    path = write(tmp_path / "log", [edx("page_close"), edx("page_close"), edx("hide_transcript"), BAD])
    with pytest.raises(EventsError, match=r"log: no event could be used; of 4 rows .* 1 malformed; .*page_close \(2\)"):
        read_events([path], out, "edx")
    assert not out.exists()


def test_a_log_of_the_other_platform_is_refused(tmp_path: Path, out: Path) -> None:
    with pytest.raises(EventsError, match="not the header of a Moodle log"):
        read_events([write(tmp_path / "log", [edx()])], out, "moodle")
    with pytest.raises(TooManyErrors, match=r"logs\.csv:1: is not a JSON object"):
        read_events([write(tmp_path / "logs.csv", [ENGLISH, row()])], out, "edx", max_errors=1)
    with pytest.raises(EventsError, match="'Zurich' is no time zone; write one such as"):
        read_events([], out, "edx", timezone="Zurich")


def test_progress_runs_over_all_files_to_the_end(tmp_path: Path, out: Path) -> None:
    paths = [write(tmp_path / f"{n}.gz", [edx()] * 200) for n in range(3)]
    told: list[tuple[int, int]] = []
    read_events(paths, out, "edx", progress=lambda done, of: told.append((done, of)))
    total = sum(path.stat().st_size for path in paths)
    assert told[-1] == (total, total)
    assert told == sorted(told)
