"""Fitting and comparing tracers."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from finetune.verifier.bayes_fit import fit_bayesian, list_moments, list_states, measure_log_loss, tabulate_evidence
from finetune.verifier.tracers import compare_tracers, gather_moments, make_tracing_tables, train_by_folds
from scribe.plumbing.errors import UsageError
from scribe.verify.bayesian import BayesianTracer, BktParameters
from scribe.verify.opening import open_tracer
from tests.finetune.verifier.taught import make_dialogues
from tests.finetune.verifier.test_samples import silent


def test_the_table_believes_what_the_tracer_believes() -> None:
    dialogues = make_dialogues(1)
    given = BktParameters(learn=0.3, slip_said=0.2)
    beliefs = tabulate_evidence(dialogues).trace(given)
    asked = [
        known
        for dialogue in dialogues
        for session in list_moments(dialogue)
        for known in BayesianTracer(given).trace(session).values()
    ]
    assert beliefs == pytest.approx(asked)
    assert len(set(asked)) > 3


def test_fitting_lowers_the_log_loss_and_finds_that_nothing_was_known_before() -> None:
    dialogues = make_dialogues(2)
    table, states = tabulate_evidence(dialogues), list_states(dialogues)
    fitted = fit_bayesian(table, states)
    assert measure_log_loss(table.trace(fitted), states) < measure_log_loss(table.trace(BktParameters()), states)
    assert fitted.prior_step < 0.1
    assert fitted.learn > 0.7


def test_log_loss_is_that_of_the_definition() -> None:
    assert measure_log_loss(np.array([0.5, 0.9]), np.array([1.0, 0.0])) == pytest.approx(
        -(np.log(0.5) + np.log(0.1)) / 2
    )


def test_the_tracer_with_the_lower_log_loss_ships_and_opens_at_run_time(tmp_path: Path) -> None:
    dialogues = make_dialogues()
    rows = gather_moments(dialogues, silent)
    found = compare_tracers(rows, train_by_folds(rows, silent, 2))
    values = {name: (each.loss.value, each.brier.value, each.foretold.value) for name, each in found.scores.items()}
    assert all(one < other for one, other in zip(values["bayesian"], values["constant"], strict=True))  # type: ignore[operator]
    assert set(found.scores["learned"].by_turn) == {0, 1, 2}
    assert found.apart.interval is not None
    assert (found.ships == "learned") == (found.apart.interval.high < 0)
    (tmp_path / "tracer.json").write_text(json.dumps(found.file), encoding="utf-8")
    beliefs = open_tracer(tmp_path / "tracer.json").trace(dialogues[0].whole)
    assert min(beliefs.values()) > 0.5  # all was explained, and repeated
    whole, by_turn = make_tracing_tables(found)
    assert f"The {found.ships} tracer ships" in whole.markdown()
    assert by_turn.head[1:] == ("0", "1", "2")


def test_a_moment_after_the_tutors_turn_has_what_the_student_knows_by_then() -> None:
    dialogue = make_dialogues(1)[0]
    sessions = list_moments(dialogue)
    assert [len(session.turns) for session in sessions] == [0, 1, 2, 3, 4]
    states = list_states([dialogue]).reshape(5, 2)
    assert states.sum(1).tolist() == [0.0, 1.0, 1.0, 2.0, 2.0]


def test_without_true_states_tracing_is_refused() -> None:
    with pytest.raises(UsageError, match="knowledge-driven"):
        gather_moments([replace(each, known=()) for each in make_dialogues(1)], silent)
