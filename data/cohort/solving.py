"""The clicks of somebody who solves a quiz problem."""

from dataclasses import dataclass
from math import exp

from data.cohort.chance import around, sigmoid
from data.cohort.material import Piece
from data.cohort.sitting import Sitting
from data.events.schema import Kind

ATTEMPTS = 3
PARTIAL = (0.0, 0.25, 0.5, 0.5, 0.75)


@dataclass(frozen=True, slots=True)
class Solver:
    """How a student meets problems this week: chance of full marks at once, chance to try again, and care."""

    chance: float
    keen: float
    care: float


def solver(assessment: float, ability: float, prepared: float, effort: float) -> Solver:
    """From z-scores; `prepared` is the share of the week's videos watched so far."""
    chance = sigmoid(0.1 + 0.75 * assessment + 0.2 * ability + 0.7 * (prepared - 0.5))
    return Solver(chance, sigmoid(1.3 + 0.5 * effort), assessment)


def solve(at: Sitting, problem: Piece, how: Solver) -> tuple[float, int]:
    """Try a problem up to three times; the best share of its marks, and the number of attempts."""
    thinking = problem.length * 0.3 * (1.0 + 0.1 * max(-2.0, min(2.0, how.care)))
    at.wait(around(at.draw, thinking, 0.4, 0.9 * problem.length))
    best, chance = 0.0, how.chance
    for attempt in range(1, ATTEMPTS + 1):
        mark = 1.0 if at.draw.random() < chance else at.draw.choice(PARTIAL)
        at.click(Kind.PROBLEM_CHECK, problem.id, mark)
        best = max(best, mark)
        if best == 1.0 or attempt == ATTEMPTS or at.draw.random() > how.keen:
            break
        at.wait(around(at.draw, 0.15 * problem.length, 0.6, 0.8 * problem.length))
        chance += 0.15 * (1.0 - chance)
    at.linger(30.0 * exp(0.35 * how.care), 0.5, 240.0)  # reads what was right
    return best, attempt
