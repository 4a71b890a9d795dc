"""Training the verifier that asks the tracer, and verifiers of folds that choose among candidates."""

import json
from pathlib import Path

import numpy as np
import pytest

from eval.tutoring.students.learning import Listening
from finetune.verifier.rivals import foretell_by_folds, list_rewards
from finetune.verifier.samples import list_folds, make_samples
from finetune.verifier.traced import TracedReward, UntracedReward, fit_layers, list_value_features, measure_turn
from finetune.verifier.tracers import gather_moments, train_by_folds
from finetune.verifier.trial.__main__ import _parse, run_trial
from finetune.verifier.trial.folded import TRACED, UNTRACED, FoldedVerifier, train_folded
from scribe.tutor.session import StudentTurn, TutoringSession
from scribe.verify.bayesian import BayesianTracer
from scribe.verify.layers import estimate
from scribe.verify.state_verifier import VALUE_FEATURES, StateVerifier
from tests.eval.tutoring.scripted import ScriptedTester
from tests.finetune.verifier.taught import IDLE, make_dialogues
from tests.finetune.verifier.test_samples import silent
from tests.scribe.tutor.lesson import BRIEF
from tests.tools.small_course import ScriptedEmbedder

DIALOGUES = make_dialogues()
SAMPLES = make_samples(DIALOGUES)
ROWS = gather_moments(DIALOGUES, silent)
TRACERS = train_by_folds(ROWS, silent, 2)
EXAMPLE = np.linspace(0.1, 0.9, 5 * len(VALUE_FEATURES)).reshape(5, -1)
FOLDS = np.array(list_folds([each.task for each in SAMPLES], 2))


def test_the_features_of_a_sample_are_those_of_the_moments_around_its_turn() -> None:
    beliefs = np.arange(len(ROWS.states), dtype=float) / 1000
    first, second = list_value_features(SAMPLES[:2], ROWS, beliefs)
    assert (first[0], second[0]) == pytest.approx((0.0, 1 / 8))
    assert first[-1] == pytest.approx(0.004)  # two components, each 0.002 more one moment later
    assert second[3] == pytest.approx(0.006)  # the fourth moment begins at row 6


def test_it_foretells_the_rewards_of_tasks_that_it_has_not_seen() -> None:
    found = foretell_by_folds(TracedReward(SAMPLES, ROWS, TRACERS, FOLDS), FOLDS, silent)
    rewards = list_rewards(SAMPLES)
    assert ((found - rewards) ** 2).mean() < 0.5 * rewards.var()


def test_a_layer_is_fitted_to_rewards() -> None:
    features = np.array([[0.0], [1.0], [2.0], [3.0]])
    layers = fit_layers(features, np.array([0.1, 0.3, 0.7, 0.9]))
    assert estimate(layers, features) == pytest.approx([0.1, 0.3, 0.7, 0.9], abs=0.05)


def test_a_turn_is_measured_without_what_the_student_knows() -> None:
    component = BRIEF.components[1]
    session = TutoringSession(BRIEF)
    idle, explains = measure_turn(session, IDLE), measure_turn(session, component.text)
    assert sum(explains[1:5]) > sum(idle[1:5])
    asked = DIALOGUES[0].before(1).then(StudentTurn("What does discount do, is every price added?"))
    assert measure_turn(asked, component.text)[5] > 0.5 > measure_turn(asked, IDLE)[5]
    rewards = UntracedReward(SAMPLES, np.array([measure_turn(session, each.text) for each in SAMPLES]))
    assert np.isfinite(rewards.foretell(np.ones(len(SAMPLES), dtype=bool))).all()


def test_verifiers_of_folds_value_a_turn_that_explains_more_than_idle_talk() -> None:
    verifiers = train_folded(DIALOGUES, SAMPLES, ROWS, TRACERS, ScriptedEmbedder(), silent)
    session = DIALOGUES[0].before(0)
    for name in (TRACED, UNTRACED):
        idle, explains = verifiers[name].value(session, [IDLE, BRIEF.components[1].text]).rewards
        assert explains > idle


def test_all_choosers_choose_among_the_same_candidates_and_the_trial_measures_them(tmp_path: Path) -> None:
    verifier = FoldedVerifier({"final-grade": 0}, [StateVerifier(BayesianTracer(), fit_layers(EXAMPLE, EXAMPLE[:, 2]))])
    words = [str(tmp_path), "--out", str(tmp_path / "out"), "--rounds", "1", "--candidates", "3", "--parallel", "1"]
    given = _parse(words)
    tables, missing = run_trial(
        given, {TRACED: verifier}, ScriptedTester(), Listening(), lambda what, done, total: None
    )
    assert missing == 0
    assert [row[0] for row in tables[0].rows] == ["Pre-Test", "by-chance", "by-verifier", "by-true-state"]
    lines = (tmp_path / "out" / "sessions.jsonl").read_text(encoding="utf-8").splitlines()
    firsts = [json.loads(line)["rounds"][0]["tutor"]["candidates"] for line in lines]
    assert len(firsts) == 9  # three levels, three choosers
    assert len({tuple(each["text"] for each in one) for one in firsts}) == 1
