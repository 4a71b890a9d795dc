"""Rows that begin alike as one flat sequence, so that what they share is computed once and nothing is padded.

A packed batch holds the prefix once and behind it each row's own suffix, which sees the prefix and itself but no other
row. Loss and gradients are those of the rows one by one; with dropout the prefix drops the same inputs for all of them.
"""

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from finetune.examples.rows import UNLABELLED, Example
from finetune.settings import StageSettings


@dataclass(frozen=True, slots=True)
class PackLayout:
    """What lies where in a packed batch."""

    shared: int
    """Ids of the shared prefix."""
    suffixes: tuple[int, ...]
    """Lengths of the rows' own suffixes, which follow one after the other."""


@dataclass(frozen=True, slots=True)
class PackedBatch:
    """What is computed in one pass: ids, positions and targets, all (S,), and how they are laid out."""

    ids: Tensor
    positions: Tensor
    targets: Tensor
    """For each id the one that should follow it, or UNLABELLED."""
    layout: PackLayout
    tokens: int
    """Ids of the rows before they were joined."""

    @property
    def supervised(self) -> int:
        """How many targets count."""
        return int((self.targets != UNLABELLED).sum())

    def to(self, device: str) -> "PackedBatch":
        """The same on another device."""
        ids, positions, targets = (part.to(device) for part in (self.ids, self.positions, self.targets))
        return PackedBatch(ids, positions, targets, self.layout, self.tokens)


def pack(examples: Sequence[Example], padded: bool = False) -> PackedBatch:
    """The examples as one sequence; they share as much as they begin alike with, up to the first label.

    padded: they share nothing, and all are made as long as the longest.
    """
    shared = _count_shared(examples) if len(examples) > 1 and not padded else 0
    longest = max(len(each.ids) for each in examples)
    parts = [(examples[0].ids[:shared], np.arange(shared), np.full(shared, UNLABELLED))]
    for each in examples:
        size = longest if padded else len(each.ids)
        missing = size - len(each.ids)  # behind all that is learned, where nothing sees them
        targets = np.append(each.labels[shared + 1 :], np.full(1 + missing, UNLABELLED))
        parts.append((np.pad(each.ids[shared:], (0, missing)), np.arange(shared, size), targets))
    columns = (np.concatenate(column).astype(np.int64) for column in zip(*parts, strict=True))
    ids, positions, following = (torch.from_numpy(column) for column in columns)
    layout = PackLayout(shared, tuple(longest if padded else len(each.ids) - shared for each in examples))
    return PackedBatch(ids, positions, following, layout, sum(len(each.ids) for each in examples))


def _count_shared(examples: Sequence[Example]) -> int:
    """How many ids all begin with; less than the first label's place, since the id before it has to foretell it."""
    first, *others = (each.ids for each in examples)
    same = min(_count_alike(first, other) for other in others)
    return min(same, *(int(np.flatnonzero(each.labels != UNLABELLED)[0]) - 1 for each in examples))


def _count_alike(one: NDArray[np.int64], other: NDArray[np.int64]) -> int:
    size = min(len(one), len(other))
    differing = np.flatnonzero(one[:size] != other[:size])
    return int(differing[0]) if len(differing) else size


MicroBatch = tuple[int, ...]
"""The places of the examples that are computed together."""


def plan_run(examples: Sequence[Example], settings: StageSettings) -> list[list[MicroBatch]]:
    """The micro-batches of every step of the run. The last epoch may be a part of one."""
    planned: list[list[MicroBatch]] = []
    random = np.random.default_rng(settings.seed)
    left = settings.epochs
    while left > 1e-9:
        epoch = list(plan_epoch(examples, settings, random))
        planned += epoch[: math.ceil(len(epoch) * min(left, 1.0))]
        left -= 1.0
    return planned


def plan_epoch(
    examples: Sequence[Example], settings: StageSettings, random: np.random.Generator
) -> Iterator[list[MicroBatch]]:
    """One epoch: every example once, in micro-batches of rows that share their prefix, in random order.

    A step takes micro-batches until it has `batch_size` examples, of the last one only what it needs; the last step
    takes what is left.
    """
    batches = list(group_rows(examples, settings, random))
    step: list[MicroBatch] = []
    left = settings.batch_size
    for place in random.permutation(len(batches)):
        rest = batches[place]
        while rest:
            step.append(rest[:left])
            left, rest = left - len(step[-1]), rest[left:]
            if not left:
                yield step
                step, left = [], settings.batch_size
    if step:
        yield step


def group_rows(
    examples: Sequence[Example], settings: StageSettings, random: np.random.Generator
) -> Iterator[MicroBatch]:
    """Every example once, with others of its prefix or, where nothing is shared, with others about as long."""
    group = group_by_prefix if settings.share_prefix else group_by_length
    return group(examples, settings, random)


def group_by_length(
    examples: Sequence[Example], settings: StageSettings, random: np.random.Generator
) -> Iterator[MicroBatch]:
    """Every example once, `micro_batch_size` rows and `max_tokens_per_batch` padded ids at most, others each time."""
    sizes = np.array([len(each.ids) for each in examples])
    chosen: list[int] = []
    for place in np.argsort(sizes * random.uniform(0.9, 1.1, len(sizes))):
        longest = max(int(sizes[at]) for at in [*chosen, place])
        full = len(chosen) == settings.micro_batch_size or (len(chosen) + 1) * longest > settings.max_tokens_per_batch
        if chosen and full:
            yield tuple(chosen)
            chosen = []
        chosen.append(int(place))
    if chosen:
        yield tuple(chosen)


def group_by_prefix(
    examples: Sequence[Example], settings: StageSettings, random: np.random.Generator
) -> Iterator[MicroBatch]:
    """Every example once, with others of its prefix, `micro_batch_size` rows and `max_tokens_per_batch` ids at most.

    What is shared counts once; a longer row makes a micro-batch of its own.
    """
    groups: dict[bytes, list[int]] = defaultdict(list)
    for place, each in enumerate(examples):
        groups[each.ids[: each.prefix].tobytes()].append(place)
    for members in groups.values():
        chosen: list[int] = []
        size = 0
        for at in random.permutation(len(members)):
            place = members[at]
            each = examples[place]
            own = len(each.ids) - each.prefix
            full = len(chosen) == settings.micro_batch_size or size + own > settings.max_tokens_per_batch
            if chosen and full:
                yield tuple(chosen)
                chosen = []
            size = size + own if chosen else len(each.ids)
            chosen.append(place)
        yield tuple(chosen)
