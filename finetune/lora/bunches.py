"""Rows that begin alike as one flat sequence, so that what they share is computed once and nothing is padded.

The rows of one student and report share rules, tools, course and report, most of their ids. A bunch holds that
opening once and behind it each row's own rest, which sees the opening and itself but no other row. Loss and gradients
are those of the rows one by one (tests hold this); with dropout the shared part drops the same inputs for all of them.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from finetune.lora.rows import UNLABELLED, Example


@dataclass(frozen=True, slots=True)
class Layout:
    """What lies where in a bunch: `shared` ids, then the rows' own rests of these lengths, one after the other."""

    shared: int
    rests: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Bunch:
    """One pass: ids, positions and targets, all (S,), and how they are laid out.

    targets: for each id the one that should follow it, or UNLABELLED. tokens: ids of the rows before they were joined.
    """

    ids: Tensor
    positions: Tensor
    targets: Tensor
    layout: Layout
    tokens: int

    @property
    def taught(self) -> int:
        """How many targets count."""
        return int((self.targets != UNLABELLED).sum())

    def to(self, device: str) -> "Bunch":
        """The same on another device."""
        ids, positions, targets = (part.to(device) for part in (self.ids, self.positions, self.targets))
        return Bunch(ids, positions, targets, self.layout, self.tokens)


def pack(examples: Sequence[Example]) -> Bunch:
    """The examples as one sequence; they share as much as they begin alike with, up to the first label."""
    shared = _shared(examples) if len(examples) > 1 else 0
    parts = [(examples[0].ids[:shared], np.arange(shared), np.full(shared, UNLABELLED))]
    for each in examples:
        targets = np.append(each.labels[shared + 1 :], UNLABELLED)
        parts.append((each.ids[shared:], np.arange(shared, len(each.ids)), targets))
    columns = (np.concatenate(column).astype(np.int64) for column in zip(*parts, strict=True))
    ids, positions, following = (torch.from_numpy(column) for column in columns)
    layout = Layout(shared, tuple(len(each.ids) - shared for each in examples))
    return Bunch(ids, positions, following, layout, sum(len(each.ids) for each in examples))


def _shared(examples: Sequence[Example]) -> int:
    """How many ids all begin with; less than the first label's place, since the id before it has to foretell it."""
    first, *others = (each.ids for each in examples)
    same = min(_alike(first, other) for other in others)
    return min(same, *(int(np.flatnonzero(each.labels != UNLABELLED)[0]) - 1 for each in examples))


def _alike(one: NDArray[np.int64], other: NDArray[np.int64]) -> int:
    size = min(len(one), len(other))
    differing = np.flatnonzero(one[:size] != other[:size])
    return int(differing[0]) if len(differing) else size


@dataclass(frozen=True, slots=True)
class Plan:
    """How rows come together. rows: per step of the optimizer. together: rows at most in one pass.

    tokens: ids at most in one pass, what is shared counted once; a longer row makes a pass of its own.
    """

    rows: int
    together: int
    tokens: int


Pass = tuple[int, ...]
"""The places of the examples that are computed together."""


def steps(examples: Sequence[Example], plan: Plan, random: np.random.Generator) -> Iterator[list[Pass]]:
    """One epoch: every example once, in passes of rows that share their opening, in random order.

    A step takes passes until it has `rows` examples, of the last one only what it needs; the last step takes what is
    left.
    """
    passes = list(_passes(examples, plan, random))
    step: list[Pass] = []
    left = plan.rows
    for place in random.permutation(len(passes)):
        rest = passes[place]
        while rest:
            step.append(rest[:left])
            left, rest = left - len(step[-1]), rest[left:]
            if not left:
                yield step
                step, left = [], plan.rows
    if step:
        yield step


def _passes(examples: Sequence[Example], plan: Plan, random: np.random.Generator) -> Iterator[Pass]:
    groups: dict[bytes, list[int]] = defaultdict(list)
    for place, each in enumerate(examples):
        groups[each.ids[: each.opening].tobytes()].append(place)
    for members in groups.values():
        chosen: list[int] = []
        size = 0
        for at in random.permutation(len(members)):
            place = members[at]
            each = examples[place]
            own = len(each.ids) - each.opening
            if chosen and (len(chosen) == plan.together or size + own > plan.tokens):
                yield tuple(chosen)
                chosen = []
            size = size + own if chosen else len(each.ids)
            chosen.append(place)
        yield tuple(chosen)
