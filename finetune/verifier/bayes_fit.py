"""Fitting the plain tracer: the parameters of Bayesian knowledge tracing that make the true states likeliest."""

from collections.abc import Sequence
from dataclasses import astuple, dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from finetune.verifier.dialogues import TaughtDialogue
from scribe.tutor.session import TutoringSession
from scribe.verify.bayesian import BktParameters
from scribe.verify.evidence import EvidenceKind, find_evidence

Numbers = NDArray[np.float64]
_CODES = {kind: number for number, kind in enumerate(EvidenceKind, start=1)}
_LEARN = _CODES[EvidenceKind.NAMED]
_RIGHT = (_CODES[EvidenceKind.REPEATED], _CODES[EvidenceKind.PASSED])
_TESTED = (_CODES[EvidenceKind.PASSED], _CODES[EvidenceKind.FAILED])
_EDGE = 0.01
"""Parameters stay so far from 0 and 1: what never happened in the data may happen to a student."""


@dataclass(frozen=True, slots=True)
class EvidenceTable:
    """Components of dialogues, one a row (C rows), and the moments at which their beliefs are asked.

    events: (C, E) codes in their order, 0 where there are no more; dependency: (C,); row, after, turns: (M,) of each
    moment the row, how many of its events came before it, and how many turns had been said.
    """

    events: NDArray[np.int64]
    dependency: NDArray[np.bool_]
    row: NDArray[np.int64]
    after: NDArray[np.int64]
    turns: NDArray[np.int64]

    def trace(self, given: BktParameters) -> Numbers:
        """The beliefs (M,), as `BayesianTracer` has them."""
        known = np.where(self.dependency, given.prior_dependency, given.prior_step)
        states = [known]
        for column in self.events.T:
            tested, right = np.isin(column, _TESTED), np.isin(column, _RIGHT)
            slip = np.where(tested, given.slip_tests, given.slip_said)
            guess = np.where(tested, given.guess_tests, given.guess_said)
            if_known, if_not = np.where(right, 1 - slip, slip), np.where(right, guess, 1 - guess)
            observed = known * if_known / (known * if_known + (1 - known) * if_not)
            learned = known + (1 - known) * given.learn
            known = np.where(column == 0, known, np.where(column == _LEARN, learned, observed))
            states.append(known)
        return np.stack(states)[self.after, self.row]

    def take(self, moments: NDArray[np.bool_]) -> "EvidenceTable":
        """The table with some of its moments (M,)."""
        return replace(self, row=self.row[moments], after=self.after[moments], turns=self.turns[moments])


def tabulate_evidence(dialogues: Sequence[TaughtDialogue]) -> EvidenceTable:
    """Moments in the order: dialogue, turns said (from none), component."""
    events, dependency = list[list[int]](), list[bool]()
    row, after, turns = list[int](), list[int](), list[int]()
    for dialogue in dialogues:
        brief, first = dialogue.whole.brief, len(events)
        found = find_evidence(dialogue.whole)
        own = [[each for each in found if each.component == component.name] for component in brief.components]
        events += [[_CODES[each.kind] for each in one] for one in own]
        dependency += [each.kind == "dependency" for each in brief.components]
        for said in range(len(dialogue.whole.turns) + 1):
            row += range(first, first + len(own))
            after += [sum(each.turn < said for each in one) for one in own]
            turns += [said] * len(own)
    wide = np.zeros((len(events), max(map(len, events), default=0)), dtype=np.int64)
    for place, one in enumerate(events):
        wide[place, : len(one)] = one
    return EvidenceTable(wide, np.array(dependency, dtype=bool), np.array(row), np.array(after), np.array(turns))


def list_states(dialogues: Sequence[TaughtDialogue]) -> Numbers:
    """Whether the component was truly known (M,), 1 or 0, in the same order: a student has listened before replying."""
    return np.array(
        [
            float(component.name in dialogue.known[(said + 1) // 2])
            for dialogue in dialogues
            for said in range(len(dialogue.whole.turns) + 1)
            for component in dialogue.whole.brief.components
        ]
    )


def list_moments(dialogue: TaughtDialogue) -> list[TutoringSession]:
    """The sessions whose beliefs are asked: before the first turn, and after each one.

    After the student's, a tutor wants to know where to go on; after the tutor's own, what a turn would lead to.
    """
    brief, turns = dialogue.whole.brief, dialogue.whole.turns
    return [TutoringSession(brief, turns[:said]) for said in range(len(turns) + 1)]


def fit_bayesian(table: EvidenceTable, states: Numbers, start: BktParameters = BktParameters()) -> BktParameters:
    """The parameters of least log loss on the moments of a table, by L-BFGS over their logits from `start`."""

    def measure(logits: Numbers) -> float:
        return measure_log_loss(table.trace(_unpack(logits)), states)

    begun = np.array([np.log(value / (1 - value)) for value in astuple(start)])
    found = minimize(measure, begun, method="L-BFGS-B", bounds=[(-4.5, 4.5)] * len(begun), options={"maxiter": 30})
    return _unpack(np.asarray(found.x))


def measure_log_loss(beliefs: Numbers, states: Numbers) -> float:
    """Mean of -log of the probability given to what was true, in nats."""
    return float(list_log_losses(beliefs, states).mean())


def list_log_losses(beliefs: Numbers, states: Numbers) -> Numbers:
    """-log of the probability given to what was true; a certainty that is wrong costs 13.8 nats and not infinity."""
    kept = np.clip(beliefs, 1e-6, 1 - 1e-6)
    return np.asarray(-np.where(states > 0.5, np.log(kept), np.log(1 - kept)))


def _unpack(logits: Numbers) -> BktParameters:
    values = 1.0 / (1.0 + np.exp(-logits))
    return BktParameters(*(float(each) for each in np.clip(values, _EDGE, 1 - _EDGE)))
