"""Sentence embeddings as points in the plane: by t-SNE, as the paper shows them, and by principal components."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sklearn.manifold import TSNE

NEIGHBOURS = 30
"""t-SNE's perplexity, the usual one; less where there are fewer than three times as many points."""


@dataclass(frozen=True, slots=True)
class Plane:
    """Points (N, 2) by both methods, in the order of the vectors."""

    tsne: NDArray[np.float64]
    principal: NDArray[np.float64]


def plane(vectors: NDArray[np.floating], seed: int = 0) -> Plane:
    """Of rows (N, D), N at least 4. The same seed gives the same points on the same machine."""
    rows = np.asarray(vectors, np.float64)
    near = min(NEIGHBOURS, (len(rows) - 1) / 3)
    tsne = TSNE(n_components=2, perplexity=near, init="pca", random_state=seed).fit_transform(rows)
    centred = rows - rows.mean(0)
    _, _, axes = np.linalg.svd(centred, full_matrices=False)
    return Plane(np.asarray(tsne, np.float64), centred @ axes[:2].T)
