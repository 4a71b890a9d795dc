"""A PostgreSQL of the test's own: Debian's binaries, a folder that goes away, a socket and no port."""

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

from sqlalchemy import create_engine, text

BINARIES = next(iter(sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)), None)


class Cluster:
    """A running server; `add_database` gives the address of an empty database in it."""

    def __init__(self, sockets: Path) -> None:
        self._sockets, self._numbers = sockets, count(1)

    def address(self, name: str) -> str:
        return f"postgresql+psycopg://postgres@/{name}?host={self._sockets}"

    def add_database(self) -> str:
        name = f"test{next(self._numbers)}"
        engine = create_engine(self.address("postgres"), isolation_level="AUTOCOMMIT")
        with engine.connect() as connection:
            connection.execute(text(f"CREATE DATABASE {name}"))
        engine.dispose()
        return self.address(name)


@contextmanager
def run_cluster() -> Iterator[Cluster]:
    """PostgreSQL refuses to run as root, so root lends it the account that Debian's package brings."""
    assert BINARIES
    account = pwd.getpwnam("postgres").pw_uid if os.geteuid() == 0 else os.geteuid()
    folder = Path(tempfile.mkdtemp(prefix="scribe-pg-", dir="/tmp"))  # a socket's path has at most 107 bytes
    os.chown(folder, account, -1)

    def call(program: str, *arguments: str) -> None:
        command = [str(BINARIES / program), "-D", str(folder / "data"), *arguments]
        subprocess.run(command, user=account, cwd=folder, check=True, stdout=subprocess.DEVNULL, timeout=120)

    try:
        call("initdb", "--auth=trust", "--username=postgres", "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync")
        call(
            "pg_ctl", "start", "-w", "-l", str(folder / "log"), "-o", f"-k {folder} -c listen_addresses='' -c fsync=off"
        )
        try:
            yield Cluster(folder)
        finally:
            call("pg_ctl", "stop", "-m", "immediate")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
