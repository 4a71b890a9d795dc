"""What a pipeline will take, before anything is there but its file: conversations, weights, memory and time."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from finetune import manifest
from finetune.conversations.dataset import read_dataset
from finetune.conversations.question import read_questions
from finetune.lora import estimate, shapes, store
from finetune.lora.estimate import Card, Estimate, Work
from finetune.lora.rows import Row, Stage, example
from finetune.lora.settings import StageSettings
from finetune.lora.shapes import Shape
from finetune.pipeline.config import Pipeline
from finetune.pipeline.steps import Place, Step

LIKELY: Mapping[Stage, Work] = {
    "brief": Work(0, 96, 1, 52),
    "first": Work(0, 810, 715, 52),
    "later": Work(0, 1090, 715, 108),
    "single": Work(0, 1020, 715, 133),
}
"""Examples of the demo course `dsp` with an earlier tokenizer of ours, at 4.35 characters an id."""

GUESSED = "as examples of `dsp` are; once they are made, they are counted"


@dataclass(frozen=True, slots=True)
class Expected:
    """Of one stage: what it trains on, where that is known from, and what it takes."""

    name: str
    work: Work
    source: str
    estimate: Estimate


def expected(pipeline: Pipeline, place: Place) -> tuple[Expected, ...]:
    """What each stage takes. Raises UsageError for a shape that is not known, BundleError for a course."""
    shape = shape_of(pipeline)
    rows = store.read(place.examples) if manifest.read(place.examples) and place.examples.exists() else []
    return tuple(_of(name, stage, shape, rows, pipeline) for name, stage in pipeline.stages.items())


def shape_of(pipeline: Pipeline) -> Shape:
    """The model's shape: that which the file names, else that of the base."""
    return shapes.named(pipeline.model.shape or str(pipeline.model.folder))


def count_conversations(pipeline: Pipeline) -> int:
    """How many conversations the dataset holds; of a writer that is asked, how many questions there are."""
    given = pipeline.trajectories
    if given.source == "dataset":
        return sum(1 for _ in read_dataset(given.dataset_file))
    return len(read_questions(Path(given.questions).expanduser()))


def lines(pipeline: Pipeline, place: Place, steps: Sequence[Step], card: Card) -> list[str]:
    """All of it, for reading."""
    model = pipeline.model
    told = [
        f"base: {model.folder}{'' if model.folder.exists() else ' (is not there yet)'}",
        f"{count_conversations(pipeline):,} conversations, before filtering",
    ]
    told += [f"  {step.name}: {step.out}, {step.due or 'done'}" for step in steps]
    found = expected(pipeline, place)
    for each in found:
        told += ["", f"{each.name}: {_worded(each)}", *estimate.lines(each.estimate, card)]
    hours = sum(each.estimate.hours(card) for each in found)
    return [*told, "", f"training in all: {hours:.2f} hours on {card.name}; the steps before it run on the CPU"]


def _worded(each: Expected) -> str:
    work = each.work
    ids = f"{work.tokens:,} ids in a mean row, {work.shared:,} of them shared with its neighbours"
    return f"{work.rows:,} rows, {ids}, {work.labels:,} labels ({each.source})"


def _of(name: str, settings: StageSettings, shape: Shape, rows: Sequence[Row], pipeline: Pipeline) -> Expected:
    if rows:
        work, source = counted(rows, settings.learn), "counted in the examples"
    else:
        asked = count_conversations(pipeline)
        work, source = replace(LIKELY[settings.learn], rows=max(1, round(asked * (1 - settings.held)))), GUESSED
    return Expected(name, work, source, estimate.estimate(shape, settings, work))


def counted(rows: Sequence[Row], learn: Stage) -> Work:
    """What a stage trains on, from the examples; shared with neighbours is at least the system message."""
    found = [each for row in rows if (each := example(row, learn))]
    if not found:
        return Work(rows=1)
    means = np.mean([(len(each.ids), each.opening, each.taught) for each in found], axis=0)
    tokens, shared, labels = (max(1, round(float(mean))) for mean in means)
    return Work(len(found), tokens, min(shared, tokens - 1), labels)
