"""Pertinent positives: the part of a student's behaviour that is enough for the prediction to stay."""

import torch
from torch import Tensor

from data.contrast.descent import cheapest
from data.contrast.negatives import LEAST
from data.contrast.search import Search
from data.predictor.predictor import Predictor

CLEAR = 1.1
"""Log-odds, 3 to 1: a prediction stays when it is as clear as that, even if nearly everybody's would."""
OWN = 0.9
"""A prediction less clear than that stays when it keeps this share of its own log-odds."""
SPREAD = 0.05


def positives(predictor: Predictor, scaled: Tensor, missing: Tensor, usual: Tensor) -> Tensor:
    """Marks of the feature-weeks that suffice (students, weeks, features).

    `usual` (weeks, features) is the class's median in deviations. A student who had only these values of
    their own, and the usual elsewhere (what is missing stays missing), would still clearly be predicted
    the same. No marks where the usual, with what is missing, is enough.
    """
    background = torch.where(missing > 0.0, 0.0, usual)
    own = scaled - background
    with torch.no_grad():
        logit = predictor.logit(scaled, missing)
    search = Search(
        start=background,
        missing=missing,
        toward=torch.where(logit >= 0.0, 1.0, -1.0),
        need=(OWN * logit.abs()).clamp(max=CLEAR),
        low=own.clamp(max=0.0),
        high=own.clamp(min=0.0),
        up=torch.ones_like(own),
        down=torch.ones_like(own),
        spread=torch.full_like(logit, SPREAD),
    )
    part, found = cheapest(predictor, search)
    marks = (part.abs() >= LEAST) & found[:, None, None]
    return _pruned(predictor, search, own, part, marks & search.reached(predictor, own * marks)[:, None, None])


def _pruned(predictor: Predictor, search: Search, own: Tensor, part: Tensor, marks: Tensor) -> Tensor:
    """Without the marks, from the smallest part up, that are not needed when the others stand in full."""
    size = torch.where(marks, part.abs(), torch.inf).flatten(1)
    order, kept = size.argsort(dim=1), marks.flatten(1).clone()
    students = torch.arange(len(kept))
    for place in range(int(kept.sum(dim=1).max()) if len(kept) else 0):
        fewer = kept.clone()
        fewer[students, order[:, place]] = False
        enough = search.reached(predictor, own * fewer.view_as(own))
        kept = torch.where(enough[:, None], fewer, kept)
    return kept.view_as(marks)
