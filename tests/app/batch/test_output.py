"""The file of answers: what survives a crash at any byte, and what nobody else may do to it."""

import json
import resource
from pathlib import Path
from typing import Any

import pytest

from app.batch.output import BrokenOff, Output
from scribe.plumbing.errors import UsageError
from tests.app.batch.questions import lines


def line(id: str, text: str = "so") -> dict[str, Any]:
    usage = {"prompt_tokens": 1, "cached_tokens": 0, "completion_tokens": 2, "seconds": 0.5}
    return {"id": id, "status": "ok", "answer": text, "usage": usage, "fingerprint": {"model": "m"}}


def written(path: Path, *ids: str) -> Path:
    output = Output(path)
    for id in ids:
        output.append(line(id))
    output.close()
    return path


def test_a_file_cut_off_at_any_byte_keeps_its_whole_lines_and_goes_on(place: Path) -> None:
    path = written(place / "out", "a", "b")
    whole = path.read_bytes()
    second = whole.index(b"\n") + 1
    for cut in (*range(second, len(whole), 9), len(whole) - 1):
        path.write_bytes(whole[:cut])
        output = Output(path)
        output.begin()
        assert list(output.rows) == ["a"]
        output.append(line("b"))
        output.close()
        assert path.read_bytes() == whole


def test_zeros_that_a_power_cut_left_are_taken_away(place: Path) -> None:
    path = written(place / "out", "a")
    whole = path.read_bytes()
    for rest in (b"\0" * 40, b'{"id": "b", "sta' + b"\0" * 40):
        path.write_bytes(whole + rest)
        output = Output(path)
        output.begin()
        output.close()
        assert path.read_bytes() == whole


def test_nothing_is_changed_before_the_run_begins(place: Path) -> None:
    path = written(place / "out", "a")
    torn = path.read_bytes() + b'{"id": "b"'
    path.write_bytes(torn)
    Output(path).close()
    assert path.read_bytes() == torn


def test_a_line_in_the_middle_that_is_none_of_ours_is_refused(place: Path) -> None:
    path = written(place / "out", "a", "b")
    path.write_bytes(path.read_bytes().replace(b'"status"', b'"state"', 1))
    with pytest.raises(UsageError, match="out:1 was not written by"):
        Output(path)


def test_a_line_whose_usage_is_no_number_is_none_of_ours(place: Path) -> None:
    path = written(place / "out", "a")
    line = json.loads(path.read_bytes())
    line["usage"]["seconds"] = "some"
    path.write_text(json.dumps(line) + "\n")
    with pytest.raises(UsageError, match="out:1 was not written by"):
        Output(path)


def test_a_line_that_stands_twice_is_refused(place: Path) -> None:
    path = written(place / "out", "a")
    path.write_bytes(path.read_bytes() * 2)
    with pytest.raises(UsageError, match="out:2: the id 'a' is there twice"):
        Output(path)


def test_one_writer_at_a_time_even_after_the_file_was_rewritten(place: Path) -> None:
    path = written(place / "out", "a", "b")
    output = Output(path)
    output.keep(["b", "a"])
    with pytest.raises(UsageError, match="another run is writing"):
        Output(path)
    output.append(line("c"))
    output.close()
    assert [each["id"] for each in lines(path)] == ["b", "a", "c"]
    Output(path).close()


def test_a_rewritten_file_keeps_its_permissions_and_leaves_nothing_beside_it(place: Path) -> None:
    path = written(place / "out", "a", "b")
    path.chmod(0o640)
    output = Output(path)
    output.keep(["b"])
    output.close()
    assert path.stat().st_mode & 0o777 == 0o640
    assert [each["id"] for each in lines(path)] == ["b"]
    assert not list(place.glob("out.*"))


def test_a_full_disk_leaves_whole_lines_only_and_says_so(place: Path) -> None:
    path = place / "out"
    output = Output(path)
    output.append(line("a"))
    before = path.read_bytes()
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) + 10, hard))
    try:
        with pytest.raises(BrokenOff, match="cannot be written"):
            output.append(line("b"))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert path.read_bytes() == before
    output.append(line("b"))
    output.close()
    assert [each["id"] for each in lines(path)] == ["a", "b"]


def test_text_that_utf8_cannot_say_is_written_as_what_can_be_read(place: Path) -> None:
    output = Output(place / "out")
    output.append(line("a", "half \ud83d of a smile, a \u2028 break and é"))
    output.close()
    assert lines(place / "out") == [line("a", "half ? of a smile, a \u2028 break and é")]


def test_a_new_file_into_which_nothing_came_is_gone(place: Path) -> None:
    Output(place / "out").close()
    assert not (place / "out").exists()


def test_an_output_that_others_remove_or_replace_is_noticed_at_the_next_row(place: Path) -> None:
    for at, (word, harm) in enumerate((("removed", remove), ("replaced", replace_by_another))):
        output = Output(place / f"out{at}")
        output.append(line("a"))
        harm(output.path)
        with pytest.raises(BrokenOff, match=f"out{at} was {word} while it was written, and 2 answers with it"):
            output.append(line("b"))
        with pytest.raises(BrokenOff, match=word):
            output.keep(["b", "a"])
        output.close()


def remove(path: Path) -> None:
    path.unlink()


def replace_by_another(path: Path) -> None:
    path.with_name("other").write_bytes(path.read_bytes())
    path.with_name("other").replace(path)


@pytest.mark.parametrize("status", ["skipped", "", None, ["ok"]])
def test_a_line_of_a_status_that_no_run_writes_is_none_of_ours(place: Path, status: object) -> None:
    (place / "out").write_text(json.dumps(line("a") | {"status": status}) + "\n")
    with pytest.raises(UsageError, match="out:1 was not written by"):
        Output(place / "out")


def test_a_folder_that_is_called_as_a_half_written_file_might_be_is_in_nobodys_way(place: Path) -> None:
    for name in ("out.partial", ".out.partial"):
        (place / name).mkdir()
    output = Output(written(place / "out", "a", "b"))
    output.keep(["b"])
    output.close()
    assert [each["id"] for each in lines(place / "out")] == ["b"]
