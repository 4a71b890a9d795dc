"""A pipeline's TOML file: a section for the model, and one for each step."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from data.pretrained.conversion import open_base_folder
from finetune.settings import (
    ExampleSettings,
    ExportSettings,
    FilterSettings,
    Stage,
    StageSettings,
    TrajectorySettings,
    parse_section,
)
from scribe.plumbing.errors import UsageError
from scribe.plumbing.toml_text import parse_toml

OURS = "smollm2"
BRIEF = "brief"
STAGES: Mapping[str, Stage] = {BRIEF: "brief", "stage1": "first", "stage2": "later", "single": "single"}
"""What the sections of stages teach."""
ORDERS = (("stage1", "stage2"), ("single",))
"""The stages that a file may have together, beside [brief]; `finetune.pipeline.steps` says what each goes on from."""
SECTIONS = ("model", "trajectories", "filter", "examples", *STAGES, "export")


@dataclass(frozen=True, slots=True)
class ModelSection:
    """[model]: what is trained."""

    base: str = OURS
    """A folder in the Hugging Face format, or "smollm2" for the one that Scribe builds on."""
    bundles: str = ""
    """The folder of course bundles; empty for those that come with Scribe."""
    shape: str = ""
    """Of the model, for an estimate without its weights; empty: that of `base`."""
    card: str = "h100"
    """The accelerator that an estimate is for."""

    @property
    def folder(self) -> Path:
        """The base model's folder."""
        return open_base_folder() if self.base == OURS else Path(self.base).expanduser()


@dataclass(frozen=True, slots=True)
class Pipeline:
    """The whole file."""

    model: ModelSection
    trajectories: TrajectorySettings
    filter: FilterSettings
    examples: ExampleSettings
    stages: Mapping[str, StageSettings]
    """[stage1] and [stage2], or [single] alone, and before them [brief] where it is wanted, by name, in order."""
    export: ExportSettings

    @property
    def single(self) -> bool:
        """Whether all is learned in one stage."""
        return "single" in self.stages


def load_pipeline(path: Path) -> Pipeline:
    """The pipeline of a file. Raises UsageError for a section, key or value that cannot be, naming what can."""
    try:
        content = parse_toml(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UsageError(f"the pipeline {path} cannot be read: {error}") from error
    try:
        return parse_pipeline(content)
    except UsageError as error:
        raise UsageError(f"{path}: {error}") from error


def parse_pipeline(content: Mapping[str, Any]) -> Pipeline:
    """The pipeline of a file's content. Raises UsageError."""
    for name, table in content.items():
        if name not in SECTIONS or not isinstance(table, dict):
            raise UsageError(f"there is no section [{name}]; there may be: {', '.join(SECTIONS)}")
    model = parse_section(ModelSection, content.get("model", {}), "model")
    # The bundles' folder is named once; a section's own name for it goes before.
    tables = {name: {"courses": model.bundles, **content.get(name, {})} for name in SECTIONS}
    return Pipeline(
        model,
        parse_section(TrajectorySettings, tables["trajectories"], "trajectories"),
        parse_section(FilterSettings, tables["filter"], "filter"),
        parse_section(ExampleSettings, tables["examples"], "examples"),
        _parse_stages(content),
        parse_section(ExportSettings, tables["export"], "export"),
    )


def _parse_stages(content: Mapping[str, Any]) -> Mapping[str, StageSettings]:
    names = [name for name in STAGES if name in content]
    if tuple(name for name in names if name != BRIEF) not in ORDERS:
        found = ", ".join(f"[{name}]" for name in names) or "none of them"
        wanted = "[stage1] and [stage2], or [single] alone, and [brief] may be before"
        raise UsageError(f"there must be {wanted}; here is {found}")
    stages = {name: _parse_stage(name, content[name]) for name in names}
    if BRIEF in stages:
        brief, after = stages[BRIEF], stages[names[1]]
        goes_on = f"[{names[1]}] goes on from the adapter of [{BRIEF}]"
        if (brief.rank, brief.alpha) != (after.rank, after.alpha):
            raise UsageError(f"{goes_on}; give both the same rank and alpha")
        if after.init_adapter:
            raise UsageError(f"{goes_on}; leave `init_adapter` out, or give it to [{BRIEF}]")
    return stages


def _parse_stage(name: str, table: Mapping[str, Any]) -> StageSettings:
    """A stage learns what its section's name says; the section may say it too, but nothing else."""
    settings = parse_section(StageSettings, {"stage": STAGES[name], **table}, name)
    if settings.stage != STAGES[name]:
        raise UsageError(f'[{name}] is the stage "{STAGES[name]}", not "{settings.stage}"; leave `stage` out')
    return settings
