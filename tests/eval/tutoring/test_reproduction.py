"""The figures of the paper that the released attempts decide come out of our metrics."""

import pytest

from eval.tutoring.metrics.at_k import K
from eval.tutoring.reproduction.__main__ import main
from eval.tutoring.reproduction.attempts import (
    Score,
    average_folds,
    read_attempts,
    score_pass,
    score_pass_at,
    score_recall,
    score_recall_at,
)
from eval.tutoring.students.student import LEVELS

BARS = {
    ("low", "recall"): "16.1 ± 3.3, 21.5 ± 6.3, 28.4 ± 5.5, 32.3 ± 3.5",
    ("low", "pass"): "10.3 ± 4.3, 12.2 ± 4.2, 13.1 ± 4.2, 14.0 ± 3.7",
    ("medium", "recall"): "37.8 ± 2.6, 52.1 ± 6.9, 57.1 ± 9.5, 61.3 ± 7.8",
    ("medium", "pass"): "13.7 ± 4.3, 18.2 ± 3.0, 20.2 ± 3.2, 23.0 ± 5.1",
    ("high", "recall"): "46.9 ± 4.6, 60.6 ± 1.9, 65.8 ± 3.2, 71.3 ± 5.0",
    ("high", "pass"): "25.7 ± 4.4, 31.4 ± 2.9, 34.1 ± 1.5, 38.0 ± 2.4",
    ("oracle", "recall"): "64.5 ± 8.2, 70.6 ± 6.2, 77.1 ± 5.4, 83.9 ± 4.6",
    ("oracle", "pass"): "44.5 ± 3.7, 51.9 ± 4.2, 54.1 ± 4.5, 57.0 ± 5.1",
}
"""Fig. 6, as an earlier program computed it from the authors' whole data; by eye the figure shows the same."""


def test_the_released_attempts_are_ten_of_each_task_and_kind_of_student() -> None:
    attempts = read_attempts()
    assert len(attempts) == 400
    assert len({each.task for each in attempts}) == 100
    assert {len(each.passed) for each in attempts} == {len(each.recall) for each in attempts} == {10}
    assert [sum(each.fold == fold for each in attempts) for fold in range(5)] == [80] * 5


@pytest.mark.parametrize(
    ("levels", "score", "said"),
    [
        (LEVELS, score_recall, "45.92 ± 2.75"),
        (LEVELS, score_pass, "21.17 ± 2.09"),
        (("oracle",), score_recall, "74.05 ± 5.71"),
        (("oracle",), score_pass, "51.87 ± 3.67"),
    ],
)
def test_the_rows_of_table_1_come_out(levels: tuple[str, ...], score: Score, said: str) -> None:
    assert str(average_folds(read_attempts(), levels, score)) == said


@pytest.mark.parametrize(("level", "measure"), BARS)
def test_the_bars_of_figure_6_come_out(level: str, measure: str) -> None:
    score_at = score_recall_at if measure == "recall" else score_pass_at
    bars = [average_folds(read_attempts(), (level,), score_at(k)) for k in K]
    assert ", ".join(f"{bar.mean:.1f} ± {bar.deviation:.1f}" for bar in bars) == BARS[level, measure]


def test_the_command_prints_both(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    told = capsys.readouterr().out
    assert "| Pre-Test | 45.92 ± 2.75 | 45.9 ± 2.8 | 21.17 ± 2.09 | 21.2 ± 2.0 |" in told
    assert "| oracle | Pass | 44.5 ± 3.7 |" in told
