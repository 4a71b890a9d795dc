"""Files and folders appear whole or not at all, for one process at a time, and replace nobody else's."""

import multiprocessing
import os
import signal
import stat
import threading
from pathlib import Path

import pytest

from scribe.plumbing.errors import UsageError
from scribe.plumbing.files import (
    PRIVATE,
    build_once,
    cache_folder,
    hash_path,
    lock,
    put_in_place,
    refuse_foreign,
    remove_partials,
    replace_file,
    replace_folder,
    write_bytes,
    write_text,
)

FORK = multiprocessing.get_context("fork")


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_write_that_fails_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "file.txt"
    write_text(path, "é")
    with pytest.raises(RuntimeError), replace_file(path) as partial:
        partial.write_text("half")
        raise RuntimeError
    assert path.read_bytes() == "é".encode() and names(path.parent) == ["file.txt"]


def write_and_die(path: Path) -> None:
    with replace_file(path) as partial:
        partial.write_text("half")
        os.kill(os.getpid(), signal.SIGKILL)


def test_a_killed_write_leaves_the_old_file_and_what_can_be_removed(tmp_path: Path) -> None:
    path = tmp_path / "file.txt"
    path.write_text("old")
    process = FORK.Process(target=write_and_die, args=(path,))
    process.start()
    process.join()
    assert path.read_text() == "old" and len(names(tmp_path)) == 2
    remove_partials(tmp_path)
    assert names(tmp_path) == ["file.txt"]


def test_a_new_file_is_as_readable_as_the_user_lets_it_be_and_a_replaced_one_as_before(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        write_bytes(tmp_path / "new", b"")
    finally:
        os.umask(before)
    assert mode_of(tmp_path / "new") == 0o640
    (tmp_path / "new").chmod(0o604)
    write_bytes(tmp_path / "new", b"again")
    assert mode_of(tmp_path / "new") == 0o604
    write_bytes(tmp_path / "new", b"secret", PRIVATE)
    assert mode_of(tmp_path / "new") == 0o600


def test_a_link_stays_and_what_it_names_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "disk").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "disk" / "file")
    write_text(tmp_path / "link", "new")
    assert (tmp_path / "link").is_symlink() and (tmp_path / "disk" / "file").read_text() == "new"


def test_a_folder_takes_the_place_of_the_old_one_only_when_it_is_whole(tmp_path: Path) -> None:
    folder = tmp_path / "made"
    for text in ("one", "two"):
        with replace_folder(folder) as new:
            (new / text).write_text(text)
        assert names(folder) == [text]
    with pytest.raises(RuntimeError), replace_folder(folder) as new:
        (new / "three").touch()
        raise RuntimeError
    assert names(folder) == ["two"] and names(tmp_path) == ["made"]


def test_a_folder_that_cannot_be_put_in_place_leaves_the_old_one(tmp_path: Path) -> None:
    (tmp_path / "old").mkdir()
    with pytest.raises(OSError):
        put_in_place(tmp_path / "missing", tmp_path / "old", tmp_path / "aside")
    assert names(tmp_path) == ["old"]


def test_only_what_bears_our_sign_or_is_empty_may_be_replaced(tmp_path: Path) -> None:
    refuse_foreign(tmp_path / "new", "sign")
    refuse_foreign(tmp_path, "sign")
    (tmp_path / "theirs").touch()
    with pytest.raises(UsageError, match="holds something else"):
        refuse_foreign(tmp_path, "sign")
    with pytest.raises(UsageError, match="holds something else"):
        refuse_foreign(tmp_path / "theirs", "sign")
    (tmp_path / "sign").touch()
    refuse_foreign(tmp_path, "sign")


def test_a_lock_refuses_or_waits_and_leaves_nothing(tmp_path: Path) -> None:
    path, order = tmp_path / "out", list[str]()

    def wait() -> None:
        with lock(path):
            order.append("waited")

    with lock(path, "never said"):
        with pytest.raises(UsageError, match="is in use"), lock(path, "out is in use"):
            order.append("wrong")
        waiting = threading.Thread(target=wait)
        waiting.start()
        order.append("held")
    waiting.join()
    assert order == ["held", "waited"] and not names(tmp_path)


def hold_and_die(path: Path) -> None:
    with lock(path):
        os.kill(os.getpid(), signal.SIGKILL)


def test_a_killed_process_holds_no_lock(tmp_path: Path) -> None:
    process = FORK.Process(target=hold_and_die, args=(tmp_path / "out",))
    process.start()
    process.join()
    with lock(tmp_path / "out", "is in use"):
        assert names(tmp_path) == [".out.lock"]


def test_a_build_that_fails_leaves_nothing_and_the_next_begins_anew(tmp_path: Path) -> None:
    def fail(partial: Path) -> None:
        partial.mkdir()
        (partial / "half").touch()
        raise OSError("disk full")

    def build(partial: Path) -> None:
        partial.mkdir()
        (partial / "all").touch()

    with pytest.raises(OSError, match="disk full"):
        build_once(tmp_path / "made", fail)
    assert not names(tmp_path)
    assert names(build_once(tmp_path / "made", build)) == ["all"]


def test_what_a_killed_build_left_is_not_built_upon(tmp_path: Path) -> None:
    (tmp_path / ".made.partial").write_text("half of a file")
    assert build_once(tmp_path / "made", lambda partial: append(partial, "whole")).read_text() == "whole"


def test_of_several_processes_one_builds_and_the_others_wait_for_it(tmp_path: Path) -> None:
    with FORK.Pool(3) as pool:
        found = pool.map(build_in_parts, [tmp_path / "cache" / "made"] * 3, chunksize=1)
    assert found == ["built"] * 3
    assert (tmp_path / "cache" / "made.builds").read_text() == "x"


def test_the_cache_lies_where_the_user_wants_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder() == tmp_path / "scribe"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative/is/ignored")
    assert cache_folder() == Path.home() / ".cache" / "scribe"


def test_a_folder_has_the_same_hash_wherever_it_lies(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name / "in").mkdir(parents=True)
        (tmp_path / name / "in" / "a.txt").write_text("a")
    (tmp_path / "two" / "in" / "compiled.pyc").touch()
    assert hash_path(tmp_path / "one") == hash_path(tmp_path / "two")
    (tmp_path / "two" / "in" / "a.txt").rename(tmp_path / "two" / "in" / "b.txt")
    assert hash_path(tmp_path / "one") != hash_path(tmp_path / "two")


def build_in_parts(target: Path) -> str:
    """Build a file in two moves, and note that it was built."""

    def build(partial: Path) -> None:
        append(target.with_suffix(".builds"), "x")
        partial.write_text("bui")
        append(partial, "lt")

    return build_once(target, build).read_text()


def append(path: Path, text: str) -> None:
    with path.open("a") as file:
        file.write(text)
