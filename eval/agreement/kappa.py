"""Two raters who said yes or no of the same things: raw agreement, Cohen's kappa, and what kappa depends on."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

from sklearn.metrics import cohen_kappa_score

from eval.significance import Interval, Share, count_share


@dataclass(frozen=True, slots=True)
class Agreement:
    """agreed: in how many of the things both rated they say the same. kappa: −1 to 1, NaN where it is undefined.

    interval: of kappa, 95 %. one, other: how often each says yes (prevalence): kappa is low where nearly all is yes.
    """

    agreed: Share
    kappa: float
    interval: Interval | None
    one: Share
    other: Share

    @property
    def constant(self) -> float:
        """The raw agreement with the first rater of somebody who always says what that rater says most often."""
        return max(self.one.value, 1 - self.one.value)


def agreement(pairs: Iterable[tuple[bool | None, bool | None]]) -> Agreement:
    """How far two raters agree; pairs in which one has nothing readable are missing in `agreed`, and left out.

    Kappa after Cohen (1960). It is undefined where both say only yes or both only no: then agreement is whole, and
    nothing is known of whether they can tell the two apart.
    """
    given = list(pairs)
    read = [(bool(one), bool(other)) for one, other in given if one is not None and other is not None]
    agreed = count_share(one == other for one, other in read)
    agreed = Share(agreed.yes, agreed.of, len(given) - len(read))
    one, other = count_share(one for one, _ in read), count_share(other for _, other in read)
    chance = one.value * other.value + (1 - one.value) * (1 - other.value)
    if not read or chance >= 1:
        return Agreement(agreed, math.nan, None, one, other)
    kappa = float(cohen_kappa_score([one for one, _ in read], [other for _, other in read]))
    return Agreement(agreed, kappa, _interval(agreed, chance), one, other)


def _interval(agreed: Share, chance: float) -> Interval:
    """Wilson's interval of the raw agreement carried over to kappa, agreement by chance taken as it was seen.

    Not the usual one from kappa's asymptotic variance: with 20 to 60 things rated that one covers the truth in 19 to
    97 of 100 cases, the worse the better the agreement, and shrinks to nothing where all agree; this one in 86 to 99.
    `python -m eval.agreement.coverage` counts anew.
    """
    raw = agreed.interval()
    return Interval(max(-1.0, (raw.low - chance) / (1 - chance)), (raw.high - chance) / (1 - chance))
