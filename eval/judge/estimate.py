"""What a run would ask and cost, before a single request is sent."""

from collections.abc import Sequence
from dataclasses import dataclass

from eval.judge.asking import CHARACTERS
from eval.judge.work import Item

GUESSED = 400.0
"""Tokens of a judgement, where this judge has made none yet."""
MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Estimate:
    """Requests, and tokens in and out of them, about. `guessed`: no judgement of this judge was there to go by."""

    wanted: int
    requests: int
    prompt_tokens: int
    completion_tokens: int
    guessed: bool

    def cost(self, price_in: float, price_out: float) -> float:
        """For prices per million tokens, in their currency."""
        return (self.prompt_tokens * price_in + self.completion_tokens * price_out) / MILLION


def estimate(wanted: int, open_items: Sequence[Item], mean_completion: float | None) -> Estimate:
    """What asking the open items takes; mean_completion: tokens that this judge wrote so far."""
    prompt = sum(item.size for item in open_items) / CHARACTERS
    completion = (mean_completion or GUESSED) * len(open_items)
    return Estimate(wanted, len(open_items), round(prompt), round(completion), mean_completion is None)
