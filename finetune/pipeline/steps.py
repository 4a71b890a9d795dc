"""The steps of a pipeline in their order: which file of one is which input of the next."""

from pathlib import Path

from finetune.conversations import step as conversations
from finetune.examples import step as examples
from finetune.export import step as export
from finetune.filtering import step as filtering
from finetune.lora import stage
from finetune.lora.stage import ADAPTER
from finetune.pipeline.config import BRIEF, Pipeline
from finetune.step import PipelineStep

MODEL = "model"
"""The folder with the files that the chat loads."""


class RunFolder:
    """Where a run's files lie. data: of the steps up to the examples, which several runs may share; else `folder`."""

    def __init__(self, folder: Path, data: Path | None = None) -> None:
        self.folder, self.data = folder, data or folder
        self.trajectories = self.data / "1-trajectories.jsonl"
        self.kept = self.data / "2-kept.jsonl"
        self.examples = self.data / "3-examples.parquet"
        self.merged = folder / "5-merged"
        self.model = folder / MODEL

    def stage(self, name: str) -> Path:
        """The folder of a stage's adapter and curve."""
        return self.folder / {"stage2": "6-stage2"}.get(name, f"4-{name}")


def list_steps(pipeline: Pipeline, run: RunFolder) -> tuple[PipelineStep, ...]:
    """All steps, each after those whose output it reads."""
    return (*list_data_steps(pipeline, run), *list_stage_steps(pipeline, run))


def list_data_steps(pipeline: Pipeline, run: RunFolder) -> tuple[PipelineStep, ...]:
    """From conversations to examples."""
    base = pipeline.model.folder
    return (
        conversations.make_step(pipeline.trajectories, run.trajectories),
        filtering.make_step(pipeline.filter, run.trajectories, base, run.kept),
        examples.make_step(pipeline.examples, run.kept, base, run.examples),
    )


def list_stage_steps(pipeline: Pipeline, run: RunFolder) -> tuple[PipelineStep, ...]:
    """From examples to what the chat loads."""
    base = pipeline.model.folder
    if pipeline.single:
        adapter = run.stage("single") / ADAPTER
        return (*_start(pipeline, run, "single"), export.make_step(pipeline.export, base, adapter, run.kept, run.model))
    below, above = run.stage("stage1") / ADAPTER, run.stage("stage2") / ADAPTER
    return (
        *_start(pipeline, run, "stage1"),
        export.make_merge_step(pipeline.export.dtype, base, below, run.merged),
        stage.make_step("stage2", pipeline.stages["stage2"], run.examples, run.merged, run.stage("stage2")),
        export.make_step(pipeline.export, run.merged, above, run.kept, run.model),
    )


def list_first_stage_steps(pipeline: Pipeline, run: RunFolder) -> tuple[PipelineStep, ...]:
    """The first stage and what it gives by itself, in a folder beside the whole model's: for comparing."""
    out = run.folder / f"{MODEL}-stage1"
    adapter = run.stage("stage1") / ADAPTER
    exported = export.make_step(pipeline.export, pipeline.model.folder, adapter, run.kept, out)
    return (*_start(pipeline, run, "stage1"), exported)


def _start(pipeline: Pipeline, run: RunFolder, name: str) -> tuple[PipelineStep, ...]:
    """The first whole stage, behind the brief one if there is one, from whose adapter it goes on."""
    names = [BRIEF, name] if BRIEF in pipeline.stages else [name]
    inits = [None, run.stage(BRIEF) / ADAPTER]
    base = pipeline.model.folder
    return tuple(
        stage.make_step(each, pipeline.stages[each], run.examples, base, run.stage(each), init)
        for each, init in zip(names, inits, strict=False)
    )
