"""What can be broken of a machine: a disk that is small or read-only, memory that ends, a clock that is moved."""

import asyncio
import os
import resource
import shutil
import sqlite3
import subprocess
import time
from collections.abc import Callable, Coroutine, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import pytest

Result = TypeVar("Result")


def run_apart(work: Coroutine[object, object, Result]) -> Result:
    """What it returns, run in a loop of a thread of its own: a browser's test leaves a running loop in this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()


@contextmanager
def mount_disk(place: Path, kilobytes: int) -> Iterator[Path]:
    """A disk of its own of this size, at `place` for as long as the block lasts. The test is skipped without root."""
    place.mkdir(parents=True, exist_ok=True)
    how = ["mount", "-t", "tmpfs", "-o", f"size={kilobytes}k", "tmpfs", str(place)]
    if os.geteuid() or shutil.which("mount") is None or subprocess.run(how, capture_output=True).returncode:
        pytest.skip("a small disk takes root and the right to mount one")
    try:
        yield place
    finally:
        subprocess.run(["umount", "--lazy", str(place)], check=True)


def make_read_only(place: Path) -> None:
    """Let nobody, root included, write to a disk that `mount_disk` made."""
    subprocess.run(["mount", "-o", "remount,ro", str(place)], check=True)


def fill(place: Path) -> Path:
    """Leave no byte free on this disk; the file that took them all."""
    ballast = place / "ballast"
    with ballast.open("wb", buffering=0) as file:
        for size in (65536, 512, 1):
            try:
                while file.write(b"x" * size):
                    pass
            except OSError:
                continue
    return ballast


@contextmanager
def lock_database(path: Path) -> Iterator[None]:
    """Keep everybody else from a SQLite database, as a backup that hangs or another program may."""
    holder = sqlite3.connect(path, isolation_level=None, timeout=60)
    holder.execute("BEGIN EXCLUSIVE")
    try:
        yield
    finally:
        holder.execute("ROLLBACK")
        holder.close()


def limit_memory(megabytes: int) -> Callable[[], None]:
    """What a child runs before its program, so that it gets no more address space (`ulimit -v`)."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))

    return limit


class MovableClock:
    """The time of day of processes started with its environment: Debian's libfaketime reads it from a file."""

    def __init__(self, folder: Path) -> None:
        found = sorted(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"))
        if not found:
            pytest.skip("moving a process's clock takes Debian's package faketime")
        self._file = folder / "time"
        self.move(0)
        self.environment: Mapping[str, str] = {
            "LD_PRELOAD": str(found[0]),
            "FAKETIME_TIMESTAMP_FILE": str(self._file),
            "FAKETIME_CACHE_DURATION": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",  # as on a real machine, where waiting goes by another clock
        }

    def move(self, seconds: int) -> None:
        """Let it be so many seconds before (negative) or ahead of the machine's; returns when all have noticed."""
        new = self._file.with_suffix(".new")
        new.write_text(f"{seconds:+d}\n", encoding="ascii")
        new.replace(self._file)
        time.sleep(1.2)  # the file is looked at once a second
