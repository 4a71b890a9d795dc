"""The measure of how alike reports read, and the command that prints it."""

from pathlib import Path

import pytest

from data.bundle import load
from data.reports.measure import main, overlap, written
from tests.data.mini_bundle import write_mini


def test_overlap_counts_shared_sequences_of_four_words() -> None:
    assert overlap(["One two three four five.", "one two three four six"]) == pytest.approx(1 / 3)
    assert overlap(["a b c d", "a b c d", "e f g h"]) == pytest.approx(1 / 3)
    with pytest.raises(ValueError, match="two texts"):
        overlap(["alone"])


def test_a_course_is_measured_beside_other_reports(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bundle, beside = write_mini(tmp_path / "mini"), tmp_path / "old"
    beside.mkdir()
    for (student, theory), text in written(load(bundle)).items():
        false = text.replace("week 3", "week 9") if (student, theory) == ("s001", "nr") else text
        (beside / f"{student}.{theory}.md").write_text(false, encoding="utf-8")
    main([str(bundle), "--beside", str(beside)])
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in lines[:2]] == ["mini nr composed", f"mini nr {beside}"]
    assert len(lines) == 6 and all(": 3 reports, " in line and ", overlap 0." in line for line in lines)
    assert [line[-22:-20].strip() for line in lines] == ["0", "1", "0", "0", "0", "0"]
