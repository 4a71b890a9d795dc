"""Ratings drawn at random with a known effect, as the files that `scribe study export` writes."""

from pathlib import Path

import numpy as np

from eval.study.files import CHOICES, CONVERSATIONS, MODELS, RATINGS
from eval.table import Cell, Table

NAMES = ("small", "middle", "large")
CRITERIA = ("relevance", "usefulness")


def write_study_files(folder: Path, people: int = 36, effect: float = 1.0, unfinished: int = 2) -> Path:
    """Relevance of "large" is higher by `effect`; usefulness is the same of all; "large" is chosen half the time."""
    random = np.random.default_rng(7)
    ratings: list[tuple[Cell, ...]] = []
    choices: list[tuple[Cell, ...]] = []
    asked: list[tuple[Cell, ...]] = []
    for person in range(people + unfinished):
        finished = int(person < people)
        for place, model in enumerate(NAMES):
            head = (f"p{person}", finished, "ABC"[(place + person) % 3], model, "dsp/s001/nr")
            asked.append((*head, 1, "=Why?", 'So, "quoted"\nand on', "answered", 1.5))
            for criterion in CRITERIA if finished else ("relevance",):
                shift = effect if (model, criterion) == ("large", "relevance") else 0.0
                value = int(np.clip(np.rint(random.normal(3.2 + shift, 0.8)), 1, 5))
                ratings.append((*head, criterion, value))
        if finished:
            best = NAMES[2] if person % 2 else NAMES[person // 2 % 2]
            letter = "ABC"[(NAMES.index(best) + person) % 3]
            choices.append((f"p{person}", 1, letter, best, "dsp/s001/nr", "=It, was\nclear"))
    files = ((*RATINGS, ratings), (*CHOICES, choices), (*CONVERSATIONS, asked), (*MODELS, [(name,) for name in NAMES]))
    folder.mkdir(parents=True, exist_ok=True)
    for id, columns, rows in files:
        (folder / f"{id}.csv").write_text(Table(id, id, columns, rows).csv(), encoding="utf-8")
    return folder
