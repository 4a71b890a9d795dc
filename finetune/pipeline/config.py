"""A pipeline's TOML file as settings: a section for the model, and one for each step."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, TypeVar

from data.bundle import COURSES
from data.pretrained.conversion import open_base_folder
from finetune.conversations.settings import TrajectorySettings
from finetune.export.running import Export
from finetune.filtering.settings import FilterSettings
from finetune.lora.examples import ExampleSettings
from finetune.lora.rows import Stage
from finetune.lora.settings import StageSettings
from finetune.sections import settings
from scribe.errors import UsageError

OURS = "smollm2"
BRIEF = "brief"
LEARNS: Mapping[str, Stage] = {BRIEF: "brief", "stage1": "first", "stage2": "later", "single": "single"}
"""What the sections of stages teach."""

Section = TypeVar("Section", TrajectorySettings, FilterSettings, ExampleSettings, Export)
SECTIONS = ("model", "trajectories", "filter", "examples", *LEARNS, "export")


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """base: a folder in the Hugging Face format, or "smollm2" for the one that Scribe builds on.

    bundles: the folder of course bundles; empty for those that come with Scribe.
    joining: how the second stage stands on the first, merged into the base before it begins ("merge"), or stacked on
    the first one's adapter and joined with it afterwards ("stack"). shape: of the model, for an estimate without its
    weights; empty: that of `base`. card: the accelerator that an estimate is for.
    """

    base: str = OURS
    bundles: str = ""
    joining: Literal["merge", "stack"] = "merge"
    shape: str = ""
    card: str = "h100"

    @property
    def folder(self) -> Path:
        """The base model's folder."""
        return open_base_folder() if self.base == OURS else Path(self.base).expanduser()

    @property
    def bundle_folder(self) -> Path:
        """Where the bundles lie."""
        return Path(self.bundles).expanduser() if self.bundles else COURSES


@dataclass(frozen=True, slots=True)
class Pipeline:
    """The whole file. stages: the sections [stage1] and [stage2], or [single] alone, and before them [brief] where it
    is wanted, by their names, in order.
    """

    model: ModelSettings
    trajectories: TrajectorySettings
    filter: FilterSettings
    examples: ExampleSettings
    stages: Mapping[str, StageSettings]
    export: Export

    @property
    def single(self) -> bool:
        """Whether all is learned in one stage."""
        return "single" in self.stages


def load(path: Path) -> Pipeline:
    """The pipeline of a file. Raises UsageError for a section, key or value that cannot be, naming what can."""
    try:
        told = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UsageError(f"the pipeline {path} cannot be read: {error}") from error
    try:
        return made(told)
    except UsageError as error:
        raise UsageError(f"{path}: {error}") from error


def made(told: Mapping[str, Any]) -> Pipeline:
    """The pipeline of a file's content. Raises UsageError."""
    for name, table in told.items():
        if name not in SECTIONS or not isinstance(table, dict):
            raise UsageError(f"there is no section [{name}]; there may be: {', '.join(SECTIONS)}")
    model = settings(ModelSettings, told.get("model", {}), "model")
    root = model.bundles
    return Pipeline(
        model,
        _at(settings(TrajectorySettings, told.get("trajectories", {}), "trajectories"), root),
        _at(settings(FilterSettings, told.get("filter", {}), "filter"), root),
        _at(settings(ExampleSettings, told.get("examples", {}), "examples"), root),
        _stages(told),
        _at(settings(Export, told.get("export", {}), "export"), root),
    )


def _stages(told: Mapping[str, Any]) -> Mapping[str, StageSettings]:
    names = [name for name in LEARNS if name in told]
    if [name for name in names if name != BRIEF] not in (["stage1", "stage2"], ["single"]):
        found = ", ".join(f"[{name}]" for name in names) or "none of them"
        wanted = "[stage1] and [stage2], or [single] alone, and [brief] may be before"
        raise UsageError(f"there must be {wanted}; here is {found}")
    made = {name: _stage(name, told[name]) for name in names}
    if BRIEF in made:
        _check_fit(made[BRIEF], names[1], made[names[1]])
    return made


def _check_fit(brief: StageSettings, name: str, after: StageSettings) -> None:
    """Raise UsageError if the stage after a brief one cannot go on from its adapter."""
    if (brief.rank, brief.alpha) != (after.rank, after.alpha):
        raise UsageError(f"[{name}] goes on from the adapter of [{BRIEF}]; give both the same rank and alpha")
    if after.begin:
        raise UsageError(f"[{name}] goes on from the adapter of [{BRIEF}]; leave `begin` out, or give it to [{BRIEF}]")


def _stage(name: str, table: Mapping[str, Any]) -> StageSettings:
    """A stage learns what its name says; the section may say it too, but nothing else."""
    stage = settings(StageSettings, {"learn": LEARNS[name], **table}, name)
    if stage.learn != LEARNS[name]:
        raise UsageError(f'[{name}] learns "{LEARNS[name]}", not "{stage.learn}"; leave `learn` out')
    return stage


def _at(section: Section, bundles: str) -> Section:
    """The bundles' folder is named once; a section's own name for it goes before."""
    return replace(section, courses=section.courses or bundles)
