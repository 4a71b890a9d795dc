"""Two tracers compared by folds of tasks; the one with the lower log loss ships."""

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.neural_network import MLPClassifier

from eval.table import Cell, Table
from eval.tutoring.metrics.bootstrap import Estimate, estimate
from finetune.verifier.bayes_fit import (
    EvidenceTable,
    fit_bayesian,
    list_log_losses,
    list_moments,
    list_states,
    tabulate_evidence,
)
from finetune.verifier.dialogues import TaughtDialogue
from finetune.verifier.samples import FOLDS, list_folds
from scribe.plumbing.errors import UsageError
from scribe.plumbing.progress import OnCount
from scribe.verify.bayesian import BktParameters, describe_bayesian
from scribe.verify.features import FEATURES, measure_features
from scribe.verify.learned import TracerLayer, describe_learned
from scribe.verify.learned import estimate as estimate_learned

Numbers = NDArray[np.float64]
UNITS, PENALTY, ITERATIONS = 12, 1.0, 120
"""Hidden units, their weights' penalty, and after how many iterations training stops, converged or not."""
_BELIEF = FEATURES.index("bayesian")


@dataclass(frozen=True, slots=True)
class TracerComparison:
    """What came of tracing: log losses by tracer with task-bootstrap intervals, and the file of the one that ships.

    apart: the learned tracer's log loss less the fitted Bayesian's.
    """

    losses: Mapping[str, Estimate]
    apart: Estimate
    ships: str
    file: Mapping[str, object]
    moments: int
    fitted: BktParameters


@dataclass(frozen=True, slots=True)
class _TracingRows:
    """All moments: evidence, features (M, F) with a belief to be filled in, true states, task and fold of each."""

    table: EvidenceTable
    features: Numbers
    states: Numbers
    tasks: NDArray[np.str_]
    folds: NDArray[np.int64]


def compare_tracers(dialogues: Sequence[TaughtDialogue], on_count: OnCount, folds: int = FOLDS) -> TracerComparison:
    """Fit and train on all folds but one, measure on that one; then once more on all, for the file.

    Raises UsageError where no dialogue says what its student knew.
    """
    told = [each for each in dialogues if each.known]
    if not told:
        raise UsageError("no session says what its student truly knew; tracing needs knowledge-driven students")
    rows = _gather(told, on_count, folds)
    beliefs = {name: np.empty(len(rows.states)) for name in ("constant", "by hand", "bayesian", "learned")}
    beliefs["by hand"] = rows.table.trace(BktParameters())
    for fold in range(folds):
        held = rows.folds == fold
        for name, found in _trace_fold(rows, ~held, held).items():
            beliefs[name][held] = found
    losses = {name: list_log_losses(found, rows.states) for name, found in beliefs.items()}
    apart = _estimate(losses["learned"] - losses["bayesian"], rows.tasks)
    ships = "learned" if apart.value is not None and apart.value < 0 else "bayesian"
    fitted = fit_bayesian(rows.table, rows.states)
    layers = _train(_fill(rows.features, rows.table.trace(fitted)), rows.states)
    file = describe_learned(layers, fitted) if ships == "learned" else describe_bayesian(fitted)
    return TracerComparison(
        {name: _estimate(found, rows.tasks) for name, found in losses.items()},
        apart,
        ships,
        file,
        len(rows.states),
        fitted,
    )


def make_tracing_table(found: TracerComparison) -> Table:
    """The comparison as people read it."""
    rows: list[tuple[Cell, ...]] = [(name, *_cells(each)) for name, each in found.losses.items()]
    rows.append(("learned less bayesian", *_cells(found.apart)))
    given = ", ".join(f"{name} {value:.2f}" for name, value in asdict(found.fitted).items())
    note = (
        f"Nats per component and moment ({found.moments}), by tasks not trained on; 95 % by drawing tasks anew. The "
        f"{found.ships} tracer ships. Fitted on all: {given}."
    )
    return Table("tracing", "Tracing: log loss", ("tracer", "log loss", "low", "high"), rows, note=note)


def _gather(told: Sequence[TaughtDialogue], on_count: OnCount, folds: int) -> _TracingRows:
    features, tasks = list[Numbers](), list[str]()
    for done, dialogue in enumerate(told, start=1):
        unknown = {each.name: 0.0 for each in dialogue.whole.brief.components}
        made = [measure_features(session, unknown) for session in list_moments(dialogue)]
        features += made
        tasks += [dialogue.key.task] * sum(map(len, made))
        on_count(done, len(told))
    split = np.array(list_folds(tasks, folds))
    return _TracingRows(tabulate_evidence(told), np.concatenate(features), list_states(told), np.array(tasks), split)


def _trace_fold(rows: _TracingRows, learned: NDArray[np.bool_], held: NDArray[np.bool_]) -> dict[str, Numbers]:
    """Beliefs at the held moments by tracers that know the others."""
    fitted = fit_bayesian(rows.table.take(learned), rows.states[learned])
    beliefs = rows.table.trace(fitted)
    filled = _fill(rows.features, beliefs)
    layers = _train(filled[learned], rows.states[learned])
    constant = np.full(int(held.sum()), rows.states[learned].mean())
    return {"constant": constant, "bayesian": beliefs[held], "learned": estimate_learned(layers, filled[held])}


def _fill(features: Numbers, beliefs: Numbers) -> Numbers:
    filled = features.copy()
    filled[:, _BELIEF] = beliefs
    return filled


def _train(features: Numbers, states: Numbers) -> tuple[TracerLayer, ...]:
    """A network of one hidden layer, by L-BFGS, with a fixed seed: the same rows give the same weights."""
    known = states > 0.5
    if known.all() or not known.any():
        raise UsageError("all components are known, or none; a tracer learns nothing from such sessions")
    network = MLPClassifier(
        (UNITS,), activation="tanh", solver="lbfgs", alpha=PENALTY, max_iter=ITERATIONS, random_state=0
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # stopping early is meant
        network.fit(features, known)
    pairs = zip(network.coefs_, network.intercepts_, strict=True)
    return tuple(TracerLayer(np.asarray(weights.T), np.asarray(bias)) for weights, bias in pairs)


def _estimate(values: Numbers, tasks: NDArray[np.str_]) -> Estimate:
    """The mean over all moments, tasks drawn anew."""
    first: Callable[[Numbers], Numbers] = lambda means: means[..., 0] / means[..., 1]  # noqa: E731
    sums = [(values[tasks == name].sum(), float((tasks == name).sum())) for name in np.unique(tasks)]
    return estimate(first, np.array(sums))


def _cells(found: Estimate) -> tuple[Cell, ...]:
    low, high = (found.interval.low, found.interval.high) if found.interval else (None, None)
    return found.value, low, high
