"""Three minutes of the soak; `python -m tests.faults.soak` runs it for hours."""

from collections import Counter
from pathlib import Path
from random import Random
from typing import Any, cast

import pytest

from tests.faults.soak import SoakReport, run_soak
from tests.faults.soak_students import StudentSoak


@pytest.mark.soak
@pytest.mark.timeout(1800)  # the chat starts several times, on a machine that may be busy
def test_three_minutes_of_chat_and_batch_on_a_breaking_machine_lose_double_and_leak_nothing(tmp_path: Path) -> None:
    report = run_soak(tmp_path / "soak", 180, seed=23)
    told = report.describe()
    assert report.wrong == [], told
    assert report.met["answered"] > 20 and report.batch["rounds"] >= 1, told
    assert report.faults["chat killed"] and report.faults["database locked"] and report.batch["kills"], told
    # Of a minute, in which much is still loaded and threads are still made; what grows slowly takes the hours to show.
    assert report.measure_growth(2) <= 60 and report.measure_growth(3) <= 60, told
    assert report.measure_growth(1) < 200, told


def test_growth_is_that_of_the_last_quarter_over_the_second() -> None:
    flat = [(float(second), 100.0 + second % 3, 20, 8) for second in range(80)]
    assert SoakReport(samples=flat).measure_growth(1) == 0
    rising = [(float(second), 100.0 + second, 20 + second, 8) for second in range(80)]
    report = SoakReport(samples=rising)
    assert (report.measure_growth(1), report.measure_growth(2), report.measure_growth(3)) == (40, 40, 0)
    assert '"MB": 40.0' in report.describe()


def test_what_is_lost_doubled_or_anothers_is_told() -> None:
    student = StudentSoak(cast(Any, None), "ada", "wordkkk", Random(0), Counter(), [])
    student.seen, student.tried = {"Why wordkkk b?": "x"}, {"Why wordkkk b?", "Why wordkkk c?"}
    student.note_differences([("Why wordkkk c?", None), ("Why wordkkk c?", None), ("Why wordlll b?", "other")])
    assert student.wrong == [
        "ada: twice: Why wordkkk c?",
        "ada: lost: Why wordkkk b?",
        "ada: never asked: Why wordlll b?",
        "ada: another answer: Why wordlll b?",
    ]
