"""What a simulated student is like, and how that shows week by week."""

import math
from dataclasses import dataclass
from random import Random

from data.cohort.chance import sigmoid

SHARED = 0.25
"""Correlation between any two of effort, consistency, regularity and proactivity: all lean on one diligence."""


@dataclass(frozen=True, slots=True)
class Traits:
    """Six z-scores: 0 is typical, 1 one deviation above.

    `ability` leaves no trace in the clicks but through solved problems; `assessment` (how carefully problems
    are solved) leans on it.
    """

    effort: float
    consistency: float
    regularity: float
    proactivity: float
    assessment: float
    ability: float


@dataclass(frozen=True, slots=True)
class Mood:
    """The traits as they show in one week, on the same scale."""

    effort: float
    consistency: float
    regularity: float
    proactivity: float
    assessment: float


def draw_traits(draw: Random) -> Traits:
    """One student; see SHARED. Assessment correlates 0.5 with ability and about 0.3 with the others."""
    diligence, ability = draw.gauss(0, 1), draw.gauss(0, 1)
    effort, consistency, regularity, proactivity, care = (
        math.sqrt(SHARED) * diligence + math.sqrt(1 - SHARED) * draw.gauss(0, 1) for _ in range(5)
    )
    assessment = 0.5 * ability + math.sqrt(0.75) * care
    return Traits(effort, consistency, regularity, proactivity, assessment, ability)


def draw_moods(draw: Random, traits: Traits, weeks: int) -> tuple[Mood | None, ...]:
    """Each week's mood; None for a week without any activity, and from the week on in which a student drops out.

    Effort fades over the weeks in students of low consistency, who also swing more, stay away more often and are
    likelier to leave for good.
    """
    fade = -0.03 + 0.06 * traits.consistency + draw.gauss(0, 0.08)
    swing = max(0.2, 0.45 - 0.1 * traits.consistency)
    moods: list[Mood | None] = []
    left = False
    for week in range(weeks):
        effort = traits.effort + fade * week + draw.gauss(0, swing)
        lasting = effort + 0.6 * traits.consistency
        mood = Mood(
            effort=effort,
            consistency=traits.consistency + draw.gauss(0, 0.7),
            regularity=traits.regularity + draw.gauss(0, 0.7),
            proactivity=traits.proactivity + draw.gauss(0, 0.7),
            assessment=traits.assessment + draw.gauss(0, 0.4),
        )
        left = left or (week > 0 and draw.random() < sigmoid(-5.4 - 1.1 * lasting))
        away = draw.random() < sigmoid(-4.0 - 0.9 * lasting)
        moods.append(None if left or away else mood)
    return tuple(moods)
