"""Fitting and comparing tracers."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from finetune.verifier.bayes_fit import fit_bayesian, list_moments, list_states, measure_log_loss, tabulate_evidence
from finetune.verifier.tracers import compare_tracers, make_tracing_table
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
    found = compare_tracers(dialogues, silent, folds=2)
    values = {name: each.value for name, each in found.losses.items()}
    assert all(value is not None for value in values.values())
    assert values["bayesian"] < values["constant"]  # type: ignore[operator]
    assert (found.ships == "learned") == (found.apart.value < 0)  # type: ignore[operator]
    (tmp_path / "tracer.json").write_text(json.dumps(found.file), encoding="utf-8")
    beliefs = open_tracer(tmp_path / "tracer.json").trace(dialogues[0].whole)
    assert min(beliefs.values()) > 0.5  # all was explained, and repeated
    assert f"The {found.ships} tracer ships" in make_tracing_table(found).markdown()


def test_without_true_states_tracing_is_refused() -> None:
    with pytest.raises(UsageError, match="knowledge-driven"):
        compare_tracers([replace(each, known=()) for each in make_dialogues(1)], silent)
