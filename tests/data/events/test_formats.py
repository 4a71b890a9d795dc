"""What the names of log files say about them."""

from pathlib import Path

import pytest

from data.course import BundleError
from data.events.formats import guess_format


@pytest.mark.parametrize(
    ("names", "form"),
    [
        (["a.parquet", "B.PARQUET"], "parquet"),
        (["tracking.log-20260914.gz", "b.jsonl"], "edx"),
        (["events.json.gz"], "edx"),
        (["logs_dsp.csv", "more.csv.gz"], "moodle"),
    ],
)
def test_the_names_tell_the_format(names: list[str], form: str) -> None:
    assert guess_format([Path(name) for name in names]) == form


@pytest.mark.parametrize("names", [["a.csv", "b.parquet"], ["a.txt"], ["events"], []])
def test_names_that_do_not_tell_one_are_refused_with_what_there_is(names: list[str]) -> None:
    with pytest.raises(BundleError, match=r"say which of edx, moodle, parquet"):
        guess_format([Path(name) for name in names])
