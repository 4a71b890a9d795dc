"""What a pipeline will take, before anything is there but its file: conversations, weights and memory."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from finetune.conversations.step import count_conversations
from finetune.examples.rows import TokenRow, make_example, read_rows
from finetune.llama import find_shape
from finetune.lora.estimate import Card, TrainingEstimate, TrainingWork, estimate_training, format_estimate
from finetune.pipeline.config import Pipeline
from finetune.pipeline.steps import RunFolder
from finetune.settings import Stage
from finetune.step import PipelineStep
from scribe.plumbing.manifest import read_step

LIKELY: Mapping[Stage, TrainingWork] = {
    "brief": TrainingWork(0, 96, 1, 52),
    "first": TrainingWork(0, 810, 715, 52),
    "later": TrainingWork(0, 1090, 715, 108),
    "single": TrainingWork(0, 1020, 715, 133),
}
"""Examples of the demo course `dsp` with an earlier tokenizer of ours, at 4.35 characters an id."""
GUESSED = "as examples of `dsp` are; once they are made, they are counted"


@dataclass(frozen=True, slots=True)
class StageForecast:
    """Of one stage: what it trains on, where that is known from, and what it takes."""

    name: str
    work: TrainingWork
    source: str
    estimate: TrainingEstimate


def forecast_stages(pipeline: Pipeline, run: RunFolder) -> tuple[StageForecast, ...]:
    """What each stage takes. Raises UsageError for a shape that is not known, BundleError for a course."""
    shape = find_shape(pipeline.model.shape or str(pipeline.model.folder))
    rows = read_rows(run.examples) if read_step(run.examples) and run.examples.exists() else []
    forecasts = []
    for name, settings in pipeline.stages.items():
        if rows:
            work, source = measure_work(rows, settings.stage), "counted in the examples"
        else:
            share = 1 - settings.validation_split
            count = max(1, round(count_conversations(pipeline.trajectories) * share))
            work, source = replace(LIKELY[settings.stage], rows=count), GUESSED
        forecasts.append(StageForecast(name, work, source, estimate_training(shape, settings, work)))
    return tuple(forecasts)


def measure_work(rows: Sequence[TokenRow], stage: Stage) -> TrainingWork:
    """What a stage trains on, from the examples; shared with neighbours is at least the system message."""
    found = [each for row in rows if (each := make_example(row, stage))]
    if not found:
        return TrainingWork(rows=1)
    means = np.mean([(len(each.ids), each.prefix, each.supervised) for each in found], axis=0)
    tokens, shared, labels = (max(1, round(float(mean))) for mean in means)
    return TrainingWork(len(found), tokens, min(shared, tokens - 1), labels)


def format_dry_run(pipeline: Pipeline, run: RunFolder, steps: Sequence[PipelineStep], card: Card) -> list[str]:
    """All of it, for reading."""
    model = pipeline.model
    lines = [
        f"base: {model.folder}{'' if model.folder.exists() else ' (is not there yet)'}",
        f"{count_conversations(pipeline.trajectories):,} conversations, before filtering",
    ]
    lines += [f"  {step.name}: {step.out}, {step.due or 'done'}" for step in steps]
    for each in forecast_stages(pipeline, run):
        work = each.work
        ids = f"{work.tokens:,} ids in a mean row, {work.shared:,} of them shared with its neighbours"
        lines += ["", f"{each.name}: {work.rows:,} rows, {ids}, {work.labels:,} labels ({each.source})"]
        lines += format_estimate(each.estimate, card)
    return lines
