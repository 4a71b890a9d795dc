"""How much of a query each text covers, by BM25 (Robertson and Zaragoza, 2009) over tokens of any kind."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import bm25s
import numpy as np
from numpy.typing import NDArray

K1, B = 1.2, 0.5
UNKNOWN = 0.75
"""What a token that no text has counts in what there is to cover, as a part of the rarest token's weight."""

Shares = NDArray[np.float64]


@dataclass(frozen=True)
class Coverage:
    """Texts as lists of tokens."""

    texts: Sequence[Sequence[str]]

    def of(self, asked: Sequence[str]) -> Shares:
        """(texts,): the share of the weight of these tokens that each text holds, 0 to below 1.

        The weight of a token is ln(1 + (N - n + 0.5) / (n + 0.5)), n of the N texts having it; a text holds
        f / (f + K1 (1 - B + B length / mean length)) of it for f occurrences, which is BM25 as Lucene computes it.
        """
        whole = sum(map(self._weight, asked))
        known = [token for token in asked if token in self.counts]
        if not known:
            return np.zeros(len(self.texts))
        shares: Shares = self._bm25.get_scores(known).astype(np.float64) / whole
        return shares

    @cached_property
    def counts(self) -> Counter[str]:
        """In how many texts each token stands."""
        return Counter(token for tokens in self.texts for token in set(tokens))

    def _weight(self, token: str) -> float:
        number = self.counts.get(token, 0)
        weight = math.log1p((len(self.texts) - number + 0.5) / (number + 0.5))
        return weight if number else UNKNOWN * weight

    @cached_property
    def _bm25(self) -> Any:
        made = bm25s.BM25(k1=K1, b=B, method="lucene", backend="numpy")
        made.index([list(tokens) for tokens in self.texts], show_progress=False)
        return made
