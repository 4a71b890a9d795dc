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
from finetune.verifier.report import show_estimate
from finetune.verifier.samples import FOLDS, list_folds
from scribe.plumbing.errors import UsageError
from scribe.plumbing.progress import OnCount
from scribe.verify.bayesian import BktParameters, describe_bayesian
from scribe.verify.features import FEATURES, measure_features
from scribe.verify.layers import Layer
from scribe.verify.layers import estimate as estimate_learned
from scribe.verify.learned import describe_learned

Numbers = NDArray[np.float64]
UNITS, PENALTY, ITERATIONS = 12, 1.0, 120
"""Hidden units, their weights' penalty, and after how many iterations training stops, converged or not."""
_BELIEF = FEATURES.index("bayesian")


@dataclass(frozen=True, slots=True)
class TracerScores:
    """How right one tracer's beliefs are, with task-bootstrap intervals.

    loss, brier: when the tutor is about to speak, before the first turn and after each of the student's. foretold: log
    loss after the tutor's turns, of what the student then knows. by_turn: log loss by rounds done.
    """

    loss: Estimate
    brier: Estimate
    foretold: Estimate
    by_turn: Mapping[int, Estimate]


@dataclass(frozen=True, slots=True)
class TracerComparison:
    """What came of tracing, and the file of the tracer that ships.

    apart: the learned tracer's log loss less the fitted Bayesian's; the learned one ships if that is surely below 0.
    """

    scores: Mapping[str, TracerScores]
    apart: Estimate
    ships: str
    file: Mapping[str, object]
    moments: int
    fitted: BktParameters
    layers: tuple[Layer, ...]


@dataclass(frozen=True, slots=True)
class TracingRows:
    """All moments: evidence, features (M, F) with a belief to be filled in, true states, task and dialogue of each."""

    table: EvidenceTable
    features: Numbers
    states: Numbers
    tasks: NDArray[np.str_]
    dialogues: NDArray[np.int64]

    def train(self, learned: NDArray[np.bool_]) -> tuple[BktParameters, tuple[Layer, ...]]:
        """Both tracers of the moments that are `learned` (M,)."""
        fitted = fit_bayesian(self.table.take(learned), self.states[learned])
        return fitted, _train(_fill(self.features, self.table.trace(fitted))[learned], self.states[learned])

    def trace(self, fitted: BktParameters, layers: tuple[Layer, ...]) -> Numbers:
        """The learned tracer's beliefs (M,)."""
        return estimate_learned(layers, _fill(self.features, self.table.trace(fitted)))


@dataclass(frozen=True, slots=True)
class FoldTracer:
    """Both tracers of all tasks but those of a fold. beliefs: the learned one's (M,), of all moments."""

    held: NDArray[np.bool_]
    fitted: BktParameters
    layers: tuple[Layer, ...]
    beliefs: Numbers


def train_by_folds(rows: TracingRows, on_count: OnCount, folds: int = FOLDS) -> tuple[FoldTracer, ...]:
    """Fit and train on all folds but one, for each."""
    split = np.array(list_folds(rows.tasks.tolist(), folds))
    found = list[FoldTracer]()
    for fold in range(folds):
        held = split == fold
        fitted, layers = rows.train(~held)
        found.append(FoldTracer(held, fitted, layers, rows.trace(fitted, layers)))
        on_count(fold + 1, folds)
    return tuple(found)


def compare_tracers(rows: TracingRows, trained: Sequence[FoldTracer]) -> TracerComparison:
    """Measure each on its fold; then fit and train once more on all, for the file."""
    beliefs = {name: np.empty(len(rows.states)) for name in ("constant", "by hand", "bayesian", "learned")}
    beliefs["by hand"] = rows.table.trace(BktParameters())
    for each in trained:
        held = each.held
        beliefs["constant"][held] = rows.states[~held].mean()
        beliefs["bayesian"][held] = rows.table.trace(each.fitted)[held]
        beliefs["learned"][held] = each.beliefs[held]
    scores = {name: _score(rows, found) for name, found in beliefs.items()}
    losses = {name: list_log_losses(beliefs[name], rows.states) for name in ("bayesian", "learned")}
    before = rows.table.turns % 2 == 0
    apart = _estimate((losses["learned"] - losses["bayesian"])[before], rows.tasks[before])
    surely = apart.interval is not None and apart.interval.high < 0
    fitted, layers = rows.train(np.ones(len(rows.states), dtype=bool))
    file = describe_learned(layers, fitted) if surely else describe_bayesian(fitted)
    ships = "learned" if surely else "bayesian"
    return TracerComparison(scores, apart, ships, file, int(before.sum()), fitted, layers)


def make_tracing_tables(found: TracerComparison) -> tuple[Table, Table]:
    """The comparison as people read it: all moments, and by rounds done."""
    rows: list[tuple[Cell, ...]] = [
        (name, *(show_estimate(value) for value in (each.loss, each.brier, each.foretold)))
        for name, each in found.scores.items()
    ]
    rows.append(("learned less bayesian", show_estimate(found.apart), None, None))
    given = ", ".join(f"{name} {value:.2f}" for name, value in asdict(found.fitted).items())
    note = (
        f"Log loss in nats per component when the tutor is about to speak ({found.moments} beliefs), by tasks not "
        "trained on; foretold: of what is known once the tutor has spoken. In brackets 95 % by drawing tasks anew. The "
        f"{found.ships} tracer ships. Fitted on all: {given}."
    )
    whole = Table("tracing", "Tracing", ("tracer", "log loss", "Brier", "foretold"), rows, note=note)
    turns = sorted({turn for each in found.scores.values() for turn in each.by_turn})
    lines: list[tuple[Cell, ...]] = [
        (name, *(show_estimate(each.by_turn[turn]) for turn in turns)) for name, each in found.scores.items()
    ]
    return whole, Table("tracing-turns", "Tracing: log loss by rounds done", ("tracer", *map(str, turns)), lines)


def gather_moments(dialogues: Sequence[TaughtDialogue], on_count: OnCount) -> TracingRows:
    """The moments of the dialogues that say what their student knew, as `list_moments` orders them.

    Raises UsageError where there is none.
    """
    features, tasks, numbers = list[Numbers](), list[str](), list[int]()
    told = [(number, each) for number, each in enumerate(dialogues) if each.known]
    if not told:
        raise UsageError("no session says what its student truly knew; tracing needs knowledge-driven students")
    for done, (number, dialogue) in enumerate(told, start=1):
        unknown = {each.name: 0.0 for each in dialogue.whole.brief.components}
        made = [measure_features(session, unknown) for session in list_moments(dialogue)]
        features += made
        tasks += [dialogue.key.task] * sum(map(len, made))
        numbers += [number] * sum(map(len, made))
        on_count(done, len(told))
    known = [each for _, each in told]
    return TracingRows(
        tabulate_evidence(known), np.concatenate(features), list_states(known), np.array(tasks), np.array(numbers)
    )


def _score(rows: TracingRows, beliefs: Numbers) -> TracerScores:
    losses, turns = list_log_losses(beliefs, rows.states), rows.table.turns
    before = turns % 2 == 0

    def average(values: Numbers, taken: NDArray[np.bool_]) -> Estimate:
        return _estimate(values[taken], rows.tasks[taken])

    by_turn = {int(turn) // 2: average(losses, turns == turn) for turn in np.unique(turns[before])}
    return TracerScores(
        average(losses, before), average((beliefs - rows.states) ** 2, before), average(losses, ~before), by_turn
    )


def _fill(features: Numbers, beliefs: Numbers) -> Numbers:
    filled = features.copy()
    filled[:, _BELIEF] = beliefs
    return filled


def _train(features: Numbers, states: Numbers) -> tuple[Layer, ...]:
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
    return tuple(Layer(np.asarray(weights.T), np.asarray(bias)) for weights, bias in pairs)


def _estimate(values: Numbers, tasks: NDArray[np.str_]) -> Estimate:
    """The mean over all moments, tasks drawn anew."""
    first: Callable[[Numbers], Numbers] = lambda means: means[..., 0] / means[..., 1]  # noqa: E731
    sums = [(values[tasks == name].sum(), float((tasks == name).sum())) for name in np.unique(tasks)]
    return estimate(first, np.array(sums))
