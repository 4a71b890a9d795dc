"""Bayesian knowledge tracing (Corbett & Anderson 1994, doi:10.1007/BF01099821): the plain tracer.

Each component is known or not. An observation changes the probability by Bayes' rule with the chances to slip and to
guess; an occasion to learn, here a tutor's turn that treats the component, raises it by the chance to learn.
"""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from scribe.plumbing.errors import ModelFileError, UsageError
from scribe.tutor.session import ComponentBrief, TutoringSession
from scribe.verify.evidence import EvidenceEvent, EvidenceKind, find_evidence
from scribe.verify.tracing import TRACER_FORMAT, TRACER_VERSION

_RIGHT = {EvidenceKind.REPEATED: True, EvidenceKind.ASKED: False, EvidenceKind.PASSED: True, EvidenceKind.FAILED: False}


@dataclass(frozen=True, slots=True)
class BktParameters:
    """Probabilities, all between 0 and 1 and neither. Raises UsageError for others.

    prior_…: that a component of this kind is known before the first turn; learn: that one that is not becomes known
    when the tutor treats it. What is said and what tests show slip (wrong though it is known) and are guessed (right
    though it is not) differently. The values are set by hand, for fitting to begin
    from; beliefs by them are worse than a constant (`shipped/README.md`).
    """

    prior_dependency: float = 0.35
    prior_step: float = 0.25
    learn: float = 0.4
    slip_said: float = 0.25
    guess_said: float = 0.15
    slip_tests: float = 0.1
    guess_tests: float = 0.1

    def __post_init__(self) -> None:
        for name, value in asdict(self).items():
            if not 0.0 < value < 1.0:
                raise UsageError(f"{name} of Bayesian knowledge tracing is {value}; it must lie between 0 and 1")


@dataclass(frozen=True, slots=True)
class BayesianTracer:
    """Knowledge tracing over the evidence of a session."""

    parameters: BktParameters = BktParameters()

    def trace(self, session: TutoringSession) -> Mapping[str, float]:
        """The beliefs after the last turn."""
        events = find_evidence(session)
        return {each.name: self._follow(each, events) for each in session.brief.components}

    def _follow(self, component: ComponentBrief, events: tuple[EvidenceEvent, ...]) -> float:
        given = self.parameters
        known = given.prior_dependency if component.kind == "dependency" else given.prior_step
        for kind in _list_kinds(component, events):
            known = learn(known, given.learn) if kind is EvidenceKind.NAMED else self._observe(known, kind)
        return known

    def _observe(self, known: float, kind: EvidenceKind) -> float:
        given = self.parameters
        tested = kind in (EvidenceKind.PASSED, EvidenceKind.FAILED)
        slip, guess = (given.slip_tests, given.guess_tests) if tested else (given.slip_said, given.guess_said)
        return observe(known, _RIGHT[kind], slip, guess)


def observe(known: float, right: bool, slip: float, guess: float) -> float:
    """P(known | observation), Corbett & Anderson's equations 2 and 3."""
    if_known, if_not = (1 - slip, guess) if right else (slip, 1 - guess)
    return known * if_known / (known * if_known + (1 - known) * if_not)


def learn(known: float, chance: float) -> float:
    """P(known) after an occasion to learn, Corbett & Anderson's equation 1."""
    return known + (1 - known) * chance


def describe_bayesian(parameters: BktParameters) -> dict[str, object]:
    """What a tracer's file holds of these parameters."""
    head = {"format": TRACER_FORMAT, "version": TRACER_VERSION, "kind": "bayesian"}
    return {**head, "parameters": asdict(parameters)}


def build_bayesian(data: Mapping[str, Any], path: Path) -> BayesianTracer:
    """The tracer whose fitted parameters a file holds. Raises ModelFileError, which names the file `path`."""
    given = data.get("parameters")
    names = {each.name for each in fields(BktParameters)}
    if not isinstance(given, dict) or given.keys() != names:
        raise ModelFileError(f"{path}: its parameters must be {', '.join(sorted(names))}")
    try:
        return BayesianTracer(BktParameters(**{name: float(value) for name, value in given.items()}))
    except (TypeError, ValueError) as error:
        raise ModelFileError(f"{path}: {error}") from error


def _list_kinds(component: ComponentBrief, events: tuple[EvidenceEvent, ...]) -> Iterator[EvidenceKind]:
    return (each.kind for each in events if each.component == component.name)
