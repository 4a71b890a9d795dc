"""What a week of work leaves in a student's head."""

import math

from data.cohort.chance import clip
from data.cohort.traits import Traits
from data.cohort.week import Work

NOTHING = -2.5
"""Of every kind of work, in a week without any."""
WEIGHTS = (0.04, 0.22, 0.44, 0.4, 0.21)
"""Of effort, consistency, regularity, proactivity and assessment. Effort counts in all others as well."""
ABILITY = 0.45


def learnt(work: Work | None, traits: Traits) -> float:
    """How well a week's matter is understood: about 0 with a deviation near 1, by five kinds of work and ability.

    Each kind is read from what was really done in that week, on a scale where 0 is typical and 1 a deviation.
    """
    kinds = (NOTHING,) * 5 if work is None else _kinds(work)
    worth = sum(weight * clip(kind, -2.5, 2.5) for weight, kind in zip(WEIGHTS, kinds, strict=True))
    return worth + ABILITY * traits.ability


def _kinds(work: Work) -> tuple[float, float, float, float, float]:
    """Effort, consistency, regularity, proactivity and assessment of one week's work."""
    effort = 0.6 * (work.sessions - 4.1) / 2.2 + 0.6 * (math.log1p(work.hours) - 1.02) / 0.36
    consistency = 0.0 if work.watched is None else (work.watched - 0.74) / 0.28
    even = -0.2 if work.uneven is None else (0.96 - work.uneven) / 0.48
    regularity = 0.8 * (work.rhythm - 4.6) / 2.6 + 1.0 * even
    timely = 0.0 if work.late is None else (2.5 - work.late) / 1.6
    proactivity = 0.8 * timely + 0.6 * (math.log1p(work.ahead) - 0.7) / 0.75
    assessment = 0.0 if work.strength is None else (work.strength - 0.73) / 0.24
    return effort, consistency, regularity, proactivity, assessment
