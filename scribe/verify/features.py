"""What the learned tracer sees of a component at a turn: numbers from the dialogue alone, in a fixed order.

Training and use call the same function, so that what runs is what was trained.
"""

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from scribe.tutor.session import MAX_ROUNDS, MAX_WORDS, ComponentBrief, StudentTurn, TutoringSession, TutorTurn
from scribe.verify.evidence import (
    EvidenceEvent,
    EvidenceKind,
    find_evidence,
    judge_tests,
    list_treated,
    measure_treatment,
)

FEATURES = (
    "dependency",
    "rounds",
    "bayesian",
    "named",
    "named_last",
    "treated_best",
    "treated_last",
    "heard_last",
    "load_last",
    "long_last",
    "repeated",
    "asked",
    "asked_last",
    "said_last",
    "tests_pass",
    "tests_fail",
    "tutor_last",
    "asked_before",
)
"""The names of the columns; another list means another tracer."""
_MOST = 3
"""Counts are cut there, and divided by it."""


def measure_features(session: TutoringSession, bayesian: Mapping[str, float]) -> NDArray[np.float64]:
    """(components, features) after the last turn, whoever said it; bayesian: what the plain tracer believes."""
    events = find_evidence(session)
    rows = [_measure(session, component, events, bayesian) for component in session.brief.components]
    return np.array(rows, dtype=np.float64).reshape(len(rows), len(FEATURES))


def _measure(
    session: TutoringSession,
    component: ComponentBrief,
    events: Sequence[EvidenceEvent],
    bayesian: Mapping[str, float],
) -> list[float]:
    said = [turn.text for turn in session.turns if isinstance(turn, TutorTurn)]
    heard = [turn for turn in session.turns if isinstance(turn, StudentTurn)]
    last_said, last_heard = said[-1] if said else "", heard[-1].text if heard else ""
    own = [each for each in events if each.component == component.name]
    counts = Counter(each.kind for each in own)
    newest = {each.kind for each in own if each.turn >= len(session.turns) - 2}
    spoke = max((at for at, turn in enumerate(session.turns) if isinstance(turn, TutorTurn)), default=-1)
    before = {each.kind for each in own if each.turn == spoke - 1}
    treated = [measure_treatment(component, text) for text in said]
    results = next((turn.results for turn in reversed(heard) if turn.results), "")
    passed = judge_tests(component, results)
    return [
        float(component.kind == "dependency"),
        session.rounds / MAX_ROUNDS,
        bayesian[component.name],
        _share(counts[EvidenceKind.NAMED]),
        float(EvidenceKind.NAMED in newest),
        max(treated, default=0.0),
        treated[-1] if treated else 0.0,
        measure_treatment(component, cut_to_load(last_said)),
        _share(len(list_treated(session.brief, last_said))),
        float(len(last_said.split()) > MAX_WORDS),
        _share(counts[EvidenceKind.REPEATED]),
        _share(counts[EvidenceKind.ASKED]),
        float(EvidenceKind.ASKED in newest),
        measure_treatment(component, last_heard),
        float(passed is True),
        float(passed is False),
        float(spoke == len(session.turns) - 1 and spoke >= 0),
        float(EvidenceKind.ASKED in before),
    ]


def cut_to_load(text: str, most: int = MAX_WORDS) -> str:
    """The last words of a turn, all that a student keeps of it (section 4.3)."""
    return " ".join(text.split()[-most:])


def _share(count: int) -> float:
    return min(count, _MOST) / _MOST
