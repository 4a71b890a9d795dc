"""AUC, Brier and pairwise accuracy of foretold rewards."""

import numpy as np
import pytest

from finetune.verifier.rivals import ConstantReward, LinearReward, TurnReward, foretell_by_folds, list_rewards
from finetune.verifier.samples import make_samples
from finetune.verifier.scores import count_pairs, score_rewards
from tests.finetune.verifier.taught import make_dialogues
from tests.finetune.verifier.test_samples import silent

SAMPLES = make_samples(make_dialogues())


def test_the_truth_scores_best_and_its_opposite_worst() -> None:
    best, worst = score_rewards(SAMPLES, list_rewards(SAMPLES)), score_rewards(SAMPLES, 1 - list_rewards(SAMPLES))
    assert (best.auc.value, best.brier.value, best.pairwise.value) == (1.0, 0.0, 1.0)
    assert (worst.auc.value, worst.pairwise.value) == (0.0, 0.0)
    assert best.auc.interval is not None
    assert set(best.by_turn) == {1, 2}


def test_a_constant_and_the_turn_tell_no_dialogue_from_another() -> None:
    folds = np.array([int(each.task[-1]) % 2 for each in SAMPLES])
    for model in (ConstantReward(SAMPLES), TurnReward(SAMPLES)):
        scores = score_rewards(SAMPLES, foretell_by_folds(model, folds, silent))
        assert (scores.auc.value, scores.pairwise.value) == (0.5, 0.5)
    assert foretell_by_folds(TurnReward(SAMPLES), folds, silent)[:2] == pytest.approx([0.25, 0.5])


def test_a_model_of_a_fold_does_not_see_its_tasks() -> None:
    seen = []

    class ScriptedReward:
        def foretell(self, learned: np.ndarray) -> np.ndarray:
            seen.append({each.task for each, taken in zip(SAMPLES, learned, strict=True) if taken})
            return np.full(len(SAMPLES), float(len(seen)))

    folds = np.array([int(each.task[-1]) % 2 for each in SAMPLES])
    found = foretell_by_folds(ScriptedReward(), folds, silent)
    assert seen == [{"basket-1", "basket-3"}, {"basket-0", "basket-2"}]
    assert {(each.task, reward) for each, reward in zip(SAMPLES, found.tolist(), strict=True)} == {
        ("basket-0", 1.0),
        ("basket-2", 1.0),
        ("basket-1", 2.0),
        ("basket-3", 2.0),
    }


def test_pairs_are_of_one_task_level_and_turn() -> None:
    pairs = count_pairs(SAMPLES, list_rewards(SAMPLES))
    assert pairs == {f"basket-{number}": (18.0, 18) for number in range(4)}  # 3 × 3 dialogues, 2 turns


def test_a_linear_model_learns_what_features_tell() -> None:
    features = np.array([[float(each.success), each.turn] for each in SAMPLES])
    folds = np.array([int(each.task[-1]) % 2 for each in SAMPLES])
    scores = score_rewards(SAMPLES, foretell_by_folds(LinearReward(SAMPLES, features, 1.0), folds, silent))
    assert scores.pairwise.value == 1.0
