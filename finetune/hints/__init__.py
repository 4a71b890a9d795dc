"""Learning the hints: from a question to what it asks, on the known wordings of both languages.

    python -m finetune.hints

Prints how often the likeliest hint, and one of the named ones, is right for held-out wordings; with `--vote` beside a
vote of the nearest known wordings. Takes about half an hour on two cores.
"""

from finetune.hints.folds import FOLDS, Hinting, by_fold, fold, plain
from finetune.hints.network import train
from finetune.hints.sample import TAUGHT, Sample, drawn, sample, samples, training

__all__ = [
    "FOLDS",
    "TAUGHT",
    "Hinting",
    "Sample",
    "by_fold",
    "drawn",
    "fold",
    "plain",
    "sample",
    "samples",
    "train",
    "training",
]
