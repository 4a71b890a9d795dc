"""Samples of a dialogue in one tree of tokens, and what is kept of finished folds."""

from pathlib import Path

import numpy as np
import pytest

from finetune.verifier.kept_folds import KeptFolds
from finetune.verifier.packing import group_by_dialogue, grow_tree
from finetune.verifier.rivals import foretell_by_folds
from finetune.verifier.samples import balance_outcomes, make_samples
from tests.finetune.verifier.taught import make_dialogues
from tests.finetune.verifier.test_samples import silent

FIRST, SECOND = ([5, 6], [7]), ([5, 6, 8], [7, 9])


def test_what_samples_begin_with_in_common_stands_once_and_each_token_sees_its_own_sample() -> None:
    tree = grow_tree([FIRST, SECOND], "all")
    assert tree.ids.tolist() == [5, 6, 7, 8, 7, 9]
    assert tree.positions.tolist() == [0, 1, 2, 2, 3, 4]
    assert np.flatnonzero(tree.sees[2]).tolist() == [0, 1, 2]
    assert np.flatnonzero(tree.sees[5]).tolist() == [0, 1, 3, 4, 5]


def test_means_are_over_the_whole_sample_or_its_turn() -> None:
    every, response = (grow_tree([FIRST, SECOND], pooling).means for pooling in ("all", "response"))
    assert every[1].tolist() == pytest.approx([0.2, 0.2, 0.0, 0.2, 0.2, 0.2])
    assert response[1].tolist() == pytest.approx([0.0, 0.0, 0.0, 0.0, 0.5, 0.5])


def test_samples_are_grouped_by_dialogue() -> None:
    samples = make_samples(make_dialogues(1, 3))
    assert [len(rows) for rows in group_by_dialogue(samples[::-1])] == [2, 2, 2]


def test_balancing_takes_as_many_failures_as_successes_of_each_task_and_level() -> None:
    dialogues = make_dialogues(2, 3)  # two of three succeed
    chosen = [dialogues[number] for number in sorted(balance_outcomes(dialogues))]
    assert [(each.key.task, each.success) for each in chosen] == [
        ("basket-0", True), ("basket-0", False), ("basket-1", True), ("basket-1", False)
    ]  # fmt: skip


class ScriptedReward:
    """Counts how often it is asked, and breaks off at the second time if it is told to."""

    def __init__(self, breaks: bool) -> None:
        self.asked, self._breaks = 0, breaks

    def foretell(self, learned: np.ndarray) -> np.ndarray:
        self.asked += 1
        if self._breaks and self.asked == 2:
            raise KeyboardInterrupt
        return np.arange(len(learned)) / 10


def test_a_killed_run_goes_on_with_the_fold_that_it_was_at(tmp_path: Path) -> None:
    folds, path = np.array([0, 1, 0, 1]), tmp_path / "folds"
    with pytest.raises(KeyboardInterrupt):
        foretell_by_folds(ScriptedReward(True), folds, silent, KeptFolds(path, {"seed": 1}))
    second = ScriptedReward(False)
    found = foretell_by_folds(second, folds, silent, KeptFolds(path, {"seed": 1}))
    assert found.tolist() == [0.0, 0.1, 0.2, 0.3]
    assert second.asked == 1
    assert KeptFolds(path, {"seed": 2}).find(0) is None
    KeptFolds(path, {"seed": 1}).remove()
    assert not path.exists()
