"""A build that is told to end leaves nothing behind."""

import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from scribe.plumbing.signals import ENDINGS, clean_up_when_ended, notice_interruption
from tests.data.build.scene import bundle_bytes, lay_out

COMMAND = [sys.executable, "-m", "app.cli", "courses", "build"]


def test_a_build_that_is_told_to_end_takes_its_clicks_with_it(tmp_path: Path) -> None:
    place = lay_out(tmp_path)
    before = bundle_bytes(place.course)
    given = {
        "course": place.course,
        "events": place.logs / "events.parquet",
        "grades": place.logs / "grades.csv",
        "past-events": place.logs / "past.parquet",
        "past-outcomes": place.logs / "outcomes.csv",
    }
    told = [str(part) for name, value in given.items() for part in (f"--{name}", value)]
    with subprocess.Popen([*COMMAND, *told], stderr=subprocess.PIPE, text=True) as building:
        assert building.stderr is not None
        line = next(each for each in building.stderr if "predictor" in each or each.startswith("scribe: "))
        assert "predictor" in line, line
        assert (place.course.parent / ".tiny.building").exists()
        building.terminate()
        assert building.wait(timeout=60) == 128 + signal.SIGTERM
    assert [path.name for path in place.course.parent.iterdir()] == ["tiny"]
    assert bundle_bytes(place.course) == before


@pytest.fixture
def defaults() -> Iterator[None]:
    """Signals as a fresh process has them; a library of another test may have taken them."""
    before = {each: signal.signal(each, signal.SIG_DFL) for each in ENDINGS}
    yield
    for each, handler in before.items():
        signal.signal(each, handler)


@pytest.mark.usefixtures("defaults")
def test_a_second_signal_does_not_break_off_the_cleaning_up_and_afterwards_all_is_as_it_was() -> None:
    cleaned = []
    with pytest.raises(SystemExit) as ended, clean_up_when_ended():
        try:
            signal.raise_signal(signal.SIGTERM)
        finally:
            signal.raise_signal(signal.SIGHUP)
            cleaned.append(True)
    assert ended.value.code == 128 + signal.SIGTERM
    assert cleaned
    assert [signal.getsignal(each) for each in ENDINGS] == [signal.SIG_DFL] * 2


def test_what_is_ignored_stays_so() -> None:
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with clean_up_when_ended():
            signal.raise_signal(signal.SIGHUP)
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, signal.SIG_DFL)


def test_a_first_interruption_is_noticed_and_a_second_one_breaks_off() -> None:
    before = signal.getsignal(signal.SIGINT)
    with notice_interruption() as interrupted:
        assert not interrupted()
        signal.raise_signal(signal.SIGINT)
        assert interrupted()
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGTERM)
    assert signal.getsignal(signal.SIGINT) is before
