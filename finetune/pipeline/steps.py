"""The steps of a pipeline in their order: what each reads, what it writes, and what it does."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from finetune import manifest
from finetune.conversations import step as conversations
from finetune.export import running as export
from finetune.export.merging import Dtype, merge
from finetune.filtering import run as filtering
from finetune.lora import examples, join, stages
from finetune.manifest import Tell
from finetune.pipeline.config import BRIEF, Pipeline

Inputs = Callable[[], Mapping[str, Path]]
MODEL = "model"
"""The folder with the files that the chat loads."""


@dataclass(frozen=True, slots=True)
class Step:
    """name: for `--only`; kind: what its manifest calls it. out: the file or folder it makes.

    inputs: what it reads, by name, some of which may only be known when the step before is done. settings: as its
    manifest keeps them. run: does it, or goes on with it, or finds it done.
    """

    name: str
    kind: str
    out: Path
    inputs: Inputs
    settings: object
    run: Callable[[Tell], None]

    @property
    def due(self) -> str | None:
        """Why it has to run, in a few words; None when it is done."""
        try:
            return manifest.why_not(self.out, self.kind, self.inputs(), self.settings)
        except OSError as error:
            return f"{error.filename} is not there"


@dataclass(frozen=True, slots=True)
class Place:
    """Where a run's files lie. data: of the steps up to the examples, which several runs may share."""

    folder: Path
    data: Path

    @classmethod
    def of(cls, folder: Path, data: Path | None = None) -> "Place":
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


def steps(pipeline: Pipeline, place: Place) -> tuple[Step, ...]:
    """All steps, each after those whose output it reads."""
    return (*of_data(pipeline, place), *of_stages(pipeline, place))


def of_data(pipeline: Pipeline, place: Place) -> tuple[Step, ...]:
    """From conversations to examples."""
    told, sifted, rows, base = pipeline.trajectories, pipeline.filter, pipeline.examples, pipeline.model.folder
    return (
        Step(
            "trajectories", conversations.STEP, place.trajectories, lambda: conversations.inputs(told), told,
            lambda tell: conversations.run(told, place.trajectories, tell),
        ),
        Step(
            "filter", filtering.STEP, place.kept, lambda: filtering.inputs(sifted, place.trajectories, base), sifted,
            lambda tell: filtering.run(sifted, place.trajectories, base, place.kept, tell),
        ),
        Step(
            "examples", examples.STEP, place.examples, lambda: examples.inputs(rows, place.kept, base), rows,
            lambda tell: examples.run(rows, place.kept, base, place.examples, tell),
        ),
    )  # fmt: skip


def of_stages(pipeline: Pipeline, place: Place) -> tuple[Step, ...]:
    """From examples to what the chat loads."""
    base = pipeline.model.folder
    brief = (_stage(pipeline, place, BRIEF, base),) if BRIEF in pipeline.stages else ()
    if pipeline.single:
        one = place.stage("single")
        return (*brief, _stage(pipeline, place, "single", base), _export(pipeline, place, base, one / stages.ADAPTER))
    below = place.stage("stage1") / stages.ADAPTER
    above = place.stage("stage2") / stages.ADAPTER
    first = _stage(pipeline, place, "stage1", base)
    if pipeline.model.joining == "stack":
        second = _stage(pipeline, place, "stage2", base, below)
        return (*brief, first, second, _join(place, below, above), _export(pipeline, place, base, place.joined))
    merged = _merge(pipeline.export.dtype, base, below, place.merged)
    second = _stage(pipeline, place, "stage2", place.merged)
    return (*brief, first, merged, second, _export(pipeline, place, place.merged, above))


def of_first_stage(pipeline: Pipeline, place: Place) -> tuple[Step, ...]:
    """The first stage and what it gives by itself, in a folder beside the whole model's: for comparing."""
    base, out = pipeline.model.folder, place.folder / f"{MODEL}-stage1"
    brief = (_stage(pipeline, place, BRIEF, base),) if BRIEF in pipeline.stages else ()
    first = _stage(pipeline, place, "stage1", base)
    return (*brief, first, _export(pipeline, place, base, place.stage("stage1") / stages.ADAPTER, out))


def _stage(pipeline: Pipeline, place: Place, name: str, base: Path, below: Path | None = None) -> Step:
    """A stage; the one after a brief one goes on from its adapter."""
    settings, out = pipeline.stages[name], place.stage(name)
    after = BRIEF in pipeline.stages and name in ("stage1", "single")
    before = place.stage(BRIEF) / stages.ADAPTER if after else None
    return Step(
        name, stages.step_name(settings), out,
        lambda: stages.inputs(settings, place.examples, base, below, before), settings,
        lambda tell: stages.run(settings, place.examples, base, out, tell, below, before),
    )  # fmt: skip


def _merge(dtype: Dtype, base: Path, adapter: Path, out: Path) -> Step:
    """Merging leaves no manifest by itself."""
    given, settings = {"base": base, "adapter": adapter}, {"dtype": dtype}

    def run(tell: Tell) -> None:
        if manifest.is_done(out, "merge", given, settings):
            return
        began = time.monotonic()
        merged = merge(base, adapter, out, dtype, lambda step, done, total: tell("merge", done, total))
        manifest.finish(out, "merge", given, settings, {}, time.monotonic() - began, [merged])

    return Step("merge", "merge", out, lambda: given, settings, run)


def _join(place: Place, below: Path, above: Path) -> Step:
    return Step(
        "join", join.STEP, place.joined, lambda: {"first": below, "second": above}, {},
        lambda tell: join.run(below, above, place.joined, tell),
    )  # fmt: skip


def _export(pipeline: Pipeline, place: Place, base: Path, adapter: Path, out: Path | None = None) -> Step:
    settings, made = pipeline.export, out or place.model
    return Step(
        "export", export.STEP, made, lambda: export.inputs(base, adapter, place.kept), settings,
        lambda tell: export.run(settings, base, adapter, place.kept, made, tell),
    )  # fmt: skip


def named(all_steps: Sequence[Step]) -> str:
    """The steps' names, as a message lists them."""
    return ", ".join(step.name for step in all_steps)
