"""Inference-time scaling: what students can write against candidates a turn and against what they cost (Fig. 2)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from eval.tutoring.metrics.bootstrap import Estimate
from eval.tutoring.metrics.outcome import OutcomeDifference, compare_tutors
from eval.tutoring.metrics.scores import collect_scores
from eval.tutoring.metrics.summary import TutorSummary
from eval.tutoring.protocol.plan import AT
from eval.tutoring.protocol.record import MeasuredSession


@dataclass(frozen=True, slots=True)
class ScalingPoint:
    """A tutor with one number of candidates. outcome: Pass after the last round, overall, in percent.

    more: what it reaches more than with the fewest candidates, None of these. tokens: read and written in a session;
    words: drawn in a session, all candidates together.
    """

    tutor: str
    candidates: int
    tasks: int
    outcome: Estimate
    more: OutcomeDifference | None
    tokens: float
    words: float


def list_families(tutors: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Tutors that differ in their number of candidates alone, by what is before the @, the fewest first."""
    found: dict[str, list[tuple[int, str]]] = {}
    for name in tutors:
        family, at, count = name.partition(AT)
        if at:
            found.setdefault(family, []).append((int(count), name))
    return {family: tuple(name for _, name in sorted(each)) for family, each in found.items() if len(each) > 1}


def list_shown(tutors: Sequence[str]) -> tuple[str, ...]:
    """The tutors that stand for all: of each family the one with the most candidates."""
    hidden = {name for each in list_families(tutors).values() for name in each[:-1]}
    return tuple(name for name in tutors if name not in hidden)


def measure_scaling(
    summaries: Sequence[TutorSummary], sessions: Sequence[MeasuredSession]
) -> dict[str, list[ScalingPoint]]:
    """The points of each family, the fewest candidates first; paired by task with the first of them."""
    known = {each.tutor: each for each in summaries}
    return {
        family: [_measure(name, known, names[0], sessions) for name in names]
        for family, names in list_families(list(known)).items()
    }


def _measure(
    name: str, known: Mapping[str, TutorSummary], first: str, sessions: Sequence[MeasuredSession]
) -> ScalingPoint:
    own = [session for session in sessions if session.key.tutor == name]
    outcome = known[name].outcomes["pass"]["overall"].after
    here, there = collect_scores(own, name), collect_scores(sessions, first)
    paired = name != first and bool(set(here.tasks) & set(there.tasks))
    more = compare_tutors(here, there, "pass") if paired else None
    own = [session for session in own if session.key.task in here.tasks]  # a half-measured task counts for neither
    turns = [each.tutor for session in own for each in session.rounds]
    tokens = sum(turn.use.prompt + turn.use.completion for turn in turns) / len(own)
    texts = [text for turn in turns for text in ([each.text for each in turn.candidates] or [turn.text])]
    words = sum(len(text.split()) for text in texts) / len(own)
    count = int(name.partition(AT)[2])
    return ScalingPoint(name, count, known[name].tasks, outcome, more, tokens, words)
