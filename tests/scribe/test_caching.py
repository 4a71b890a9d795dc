"""The cache: what is built appears whole or not at all, and once."""

import multiprocessing
import time
from pathlib import Path

import pytest

from scribe.caching import build_once, cache_folder


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
    assert not list(tmp_path.glob("*made*/*"))
    assert [path.name for path in build_once(tmp_path / "made", build).iterdir()] == ["all"]


def test_what_a_killed_process_left_is_not_built_upon(tmp_path: Path) -> None:
    (tmp_path / ".made.partial").write_text("half of a file")
    assert build_once(tmp_path / "made", lambda partial: append(partial, "whole")).read_text() == "whole"


def test_of_several_processes_one_builds_and_the_others_wait_for_it(tmp_path: Path) -> None:
    context = multiprocessing.get_context("fork")
    with context.Pool(3) as pool:
        found = pool.map(build_slowly, [tmp_path / "cache" / "made"] * 3, chunksize=1)
    assert found == ["built"] * 3
    assert (tmp_path / "cache" / "made.builds").read_text() == "x"


def test_the_cache_lies_where_the_user_wants_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder() == tmp_path / "scribe"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative/is/ignored")
    assert cache_folder() == Path.home() / ".cache" / "scribe"


def build_slowly(target: Path) -> str:
    """Build a file that takes its time, and note that it was built."""

    def build(partial: Path) -> None:
        append(target.with_suffix(".builds"), "x")
        partial.write_text("bui")
        time.sleep(0.2)
        append(partial, "lt")

    return build_once(target, build).read_text()


def append(path: Path, text: str) -> None:
    with path.open("a") as file:
        file.write(text)
