"""The steps of a pipeline in their order: which file of one is which input of the next."""

from dataclasses import dataclass, replace
from pathlib import Path

from finetune.conversations import step as conversations
from finetune.examples import step as examples
from finetune.export import step as export
from finetune.filtering import step as filtering
from finetune.lora import join, stage
from finetune.lora.stage import ADAPTER, StageInputs
from finetune.pipeline.config import BRIEF, Pipeline
from finetune.step import PipelineStep

MODEL = "model"
"""The folder with the files that the chat loads."""


@dataclass(frozen=True, slots=True)
class RunFolder:
    """Where a run's files lie."""

    folder: Path
    data: Path
    """Of the steps up to the examples, which several runs may share."""

    @classmethod
    def of(cls, folder: Path, data: Path | None = None) -> "RunFolder":
        """A run with a folder of its own for everything, unless `data` says otherwise."""
        return cls(folder, data or folder)

    @property
    def trajectories(self) -> Path:
        return self.data / "1-trajectories.jsonl"

    @property
    def kept(self) -> Path:
        return self.data / "2-kept.jsonl"

    @property
    def examples(self) -> Path:
        return self.data / "3-examples.parquet"

    def stage(self, name: str) -> Path:
        """The folder of a stage's adapter and curve."""
        return self.folder / {"stage2": "6-stage2"}.get(name, f"4-{name}")

    @property
    def merged(self) -> Path:
        return self.folder / "5-merged"

    @property
    def joined(self) -> Path:
        return self.folder / "7-joined"

    @property
    def model(self) -> Path:
        return self.folder / MODEL


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
        stages = _start(pipeline, run, "single")
        return (*stages, export.make_step(pipeline.export, base, run.stage("single") / ADAPTER, run.kept, run.model))
    first = _start(pipeline, run, "stage1")
    below, above = run.stage("stage1") / ADAPTER, run.stage("stage2") / ADAPTER
    if pipeline.model.joining == "stack":
        second = _make_stage(pipeline, run, "stage2", StageInputs(run.examples, base, below))
        joined = join.make_step(below, above, run.joined)
        return (*first, second, joined, export.make_step(pipeline.export, base, run.joined, run.kept, run.model))
    merged = export.make_merge_step(pipeline.export.dtype, base, below, run.merged)
    second = _make_stage(pipeline, run, "stage2", StageInputs(run.examples, run.merged))
    return (*first, merged, second, export.make_step(pipeline.export, run.merged, above, run.kept, run.model))


def list_first_stage_steps(pipeline: Pipeline, run: RunFolder) -> tuple[PipelineStep, ...]:
    """The first stage and what it gives by itself, in a folder beside the whole model's: for comparing."""
    out = run.folder / f"{MODEL}-stage1"
    adapter = run.stage("stage1") / ADAPTER
    exported = export.make_step(pipeline.export, pipeline.model.folder, adapter, run.kept, out)
    return (*_start(pipeline, run, "stage1"), exported)


def _start(pipeline: Pipeline, run: RunFolder, name: str) -> tuple[PipelineStep, ...]:
    """The first whole stage, behind the brief one if there is one, from whose adapter it goes on."""
    given = StageInputs(run.examples, pipeline.model.folder)
    if BRIEF not in pipeline.stages:
        return (_make_stage(pipeline, run, name, given),)
    after = replace(given, init=run.stage(BRIEF) / ADAPTER)
    return (_make_stage(pipeline, run, BRIEF, given), _make_stage(pipeline, run, name, after))


def _make_stage(pipeline: Pipeline, run: RunFolder, name: str, given: StageInputs) -> PipelineStep:
    return stage.make_step(name, pipeline.stages[name], given, run.stage(name))
