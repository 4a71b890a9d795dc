"""Files are read in numbered blocks of any size, and a broken one says how far it could be read."""

import gzip
from pathlib import Path

import pytest

from data.events.lines import read_blocks
from data.events.schema import EventsError
from tests.data.events.written_logs import write


def lines_of(path: Path, size: int) -> list[tuple[int, str | None]]:
    return [row for block in read_blocks(path, lambda done: None, size) for row in block.rows()]


@pytest.mark.parametrize("size", [1000, 64, 13])
@pytest.mark.parametrize("name", ["log.txt", "log.gz"])
def test_every_line_keeps_its_number_whatever_the_size_of_a_block(tmp_path: Path, name: str, size: int) -> None:
    path = write(tmp_path / name, [f"line é{n}" for n in range(1, 41)])
    assert lines_of(path, size) == [(n, f"line é{n}") for n in range(1, 41)]


def test_blank_lines_count_but_are_left_out(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(b"\xef\xbb\xbfone\r\n\r\n  \r\nfour\x0b\xe2\x80\xa8still four")
    assert lines_of(path, 100) == [(1, "one"), (4, "four\x0b\u2028still four")]


def test_a_line_that_is_not_utf8_is_null_and_the_others_are_read(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(b"one\r\ntw\xe9\n\nf\xc3\xb6ur\n")
    assert lines_of(path, 100) == [(1, "one"), (2, None), (4, "föur")]


def test_a_packed_file_is_known_by_its_bytes(tmp_path: Path) -> None:
    path = tmp_path / "tracking.log"
    path.write_bytes(gzip.compress(b"one\n") + gzip.compress(b"two\n"))
    assert lines_of(path, 100) == [(1, "one"), (2, "two")]


def test_a_truncated_gz_says_how_far_it_could_be_read(tmp_path: Path) -> None:
    path = write(tmp_path / "log.gz", [f"{n * 7919 % 10007} some words {n}" for n in range(20_000)])
    path.write_bytes(path.read_bytes()[:-5000])
    with pytest.raises(EventsError, match=r"log\.gz: the gz file is broken somewhere after line 1\d{4}: ") as caught:
        lines_of(path, 10_000)
    assert "end-of-stream" in str(caught.value)


def test_a_damaged_gz_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "log.gz", [f"{n * 7919 % 10007} some words {n}" for n in range(20_000)])
    data = bytearray(path.read_bytes())
    data[len(data) // 2 : len(data) // 2 + 50] = bytes(50)
    path.write_bytes(data)
    with pytest.raises(EventsError, match=r"log\.gz: the gz file is broken somewhere after line \d+"):
        lines_of(path, 10_000)


def test_a_file_that_is_only_called_gz_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "log.gz"
    path.write_text("plain text\n")
    with pytest.raises(EventsError, match=r"log\.gz: is not a gz file"):
        lines_of(path, 100)


@pytest.mark.parametrize("data", [b"", b"\n\n \n", gzip.compress(b"", mtime=0)])
def test_an_empty_file_is_refused(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "log"
    path.write_bytes(data)
    with pytest.raises(EventsError, match="log: the file is empty"):
        lines_of(path, 100)


def test_what_is_no_log_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(b"first\n" + b"x" * 500)
    with pytest.raises(EventsError, match=r"log:2: the line is longer than 100 bytes"):
        lines_of(path, 100)
    path.write_text("first", encoding="utf-16")
    with pytest.raises(EventsError, match="UTF-16"):
        lines_of(path, 100)
    with pytest.raises(EventsError, match="nowhere: cannot be read: No such file"):
        lines_of(tmp_path / "nowhere", 100)
    with pytest.raises(EventsError, match="cannot be read: Is a directory"):
        lines_of(tmp_path, 100)


def test_progress_is_told_in_bytes_of_the_file_itself(tmp_path: Path) -> None:
    path = write(tmp_path / "log.gz", ["the same words"] * 5000)
    told: list[int] = []
    list(read_blocks(path, told.append, 10_000))
    assert told == sorted(told)
    assert told[-1] == path.stat().st_size
