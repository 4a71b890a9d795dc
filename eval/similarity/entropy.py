"""Shannon entropy of one question: how much its words tell, each weighed by how often it comes."""

import math
import re
from collections import Counter


def entropy(text: str) -> float:
    """Bits: −Σ p log2 p over the question's own words and marks, p their shares (Shannon 1948); 0 of nothing.

    Capitals do not count. A question of n different words has log2 n bits, so length is in it.
    """
    counts = Counter(re.findall(r"\w+|[^\w\s]", text.lower()))
    total = sum(counts.values())
    return 0.0 - sum(count / total * math.log2(count / total) for count in counts.values())
