"""What is varied: the rank, and whether there are two stages, a single one, or the first alone."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from finetune.pipeline.config import BRIEF, STAGES, Pipeline
from finetune.pipeline.steps import RunFolder, list_first_stage_steps, list_stage_steps
from finetune.settings import StageSettings
from finetune.step import PipelineStep

Kind = Literal["two-stage", "single", "stage-1"]
RANKS = (32, 64, 128, 256)
"""Those of the paper's Figures 6 to 9."""

FILE = "model.q8_0.gguf"
"""What of each variant answers."""

DATA = "data"


@dataclass(frozen=True, slots=True)
class Variant:
    """One model. name: `KIND@RANK`, by which the report groups runs. folder: of its files; steps: what makes it."""

    name: str
    folder: Path
    steps: tuple[PipelineStep, ...]

    @property
    def file(self) -> Path:
        """The GGUF file that answers."""
        return self.steps[-1].out / FILE


def list_variants(pipeline: Pipeline, kinds: Sequence[Kind], ranks: Sequence[int], out: Path) -> list[Variant]:
    """Each kind with each rank, all on the examples in `out`/data; a first stage is trained once for both its kinds."""
    return [_make_variant(pipeline, kind, rank, out) for kind in kinds for rank in dict.fromkeys(ranks)]


def _make_variant(pipeline: Pipeline, kind: Kind, rank: int, out: Path) -> Variant:
    made = vary(pipeline, single=kind == "single", rank=rank)
    folder = out / f"{'single' if made.single else 'two-stage'}@{rank}"
    place = RunFolder(folder, out / DATA)
    steps = list_first_stage_steps(made, place) if kind == "stage-1" else list_stage_steps(made, place)
    return Variant(f"{kind}@{rank}", folder, steps)


def vary(pipeline: Pipeline, single: bool, rank: int) -> Pipeline:
    """The pipeline with one stage or two, of this rank; what is exported is what answers.

    alpha keeps its ratio to the rank, so that the adapter's scale is the same in all. Where the file has not the
    stages wanted, they are trained as its first one, which has the settings that the paper gives for both.
    """
    names = ("single",) if single else ("stage1", "stage2")
    given = pipeline.stages
    first = next(stage for name, stage in given.items() if name != BRIEF)
    wanted = (BRIEF, *names) if BRIEF in given else names
    stages: Mapping[str, StageSettings] = {
        name: _set_rank(replace(given.get(name, first), stage=STAGES[name]), rank) for name in wanted
    }
    return replace(pipeline, stages=stages, export=replace(pipeline.export, quantizations=("q8_0",)))


def _set_rank(stage: StageSettings, rank: int) -> StageSettings:
    return replace(stage, rank=rank, alpha=stage.alpha / stage.rank * rank)
