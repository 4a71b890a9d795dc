"""A pipeline's file: what it may say, and that those that come with Scribe say it."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any, get_args

import pytest

from data.bundle import COURSES
from data.pretrained.conversion import open_base_folder
from finetune.conversations.dataset import SHIPPED
from finetune.conversations.step import count_conversations, find_dataset
from finetune.conversations.writer_files import Question
from finetune.examples.rows import LEARNED
from finetune.llama import SHAPES, count_linear_weights, find_shape, read_llama
from finetune.pipeline import config
from finetune.pipeline.dry_run import LIKELY
from finetune.pipeline.steps import RunFolder, list_steps
from finetune.settings import Stage, TrajectorySettings
from scribe.plumbing.errors import UsageError
from tests.finetune import tiny

FOLDER = Path(config.__file__).parents[1] / "configs"
RANKS = {"toolace-8b": 256, "llama-3.1-8b": 256, "llama-3.2-3b": 128, "smollm2": 32}
ALL = sorted(FOLDER.glob("*.toml"))


@pytest.mark.parametrize("path", ALL, ids=lambda path: path.stem)
def test_each_model_has_a_pipeline_of_two_stages_and_one_of_a_single_stage(path: Path) -> None:
    made = config.load_pipeline(path)
    model = path.stem.removesuffix("-single")
    learned = [stage.stage for stage in made.stages.values() if stage.stage != "brief"]
    assert learned == (["single"] if model != path.stem else ["first", "later"])
    assert {stage.rank for stage in made.stages.values()} == {RANKS[model]}
    assert made.model.shape in SHAPES
    names = [step.name for step in list_steps(made, RunFolder(Path("x")))]
    assert names[:3] == ["trajectories", "filter", "examples"] and names[-1] == "export"
    assert find_dataset(made.trajectories) == SHIPPED


def test_a_stage_is_entered_in_every_table() -> None:
    assert set(get_args(Stage)) == set(LEARNED) == set(LIKELY) == set(config.STAGES.values())
    assert {config.BRIEF, *(name for order in config.ORDERS for name in order)} == set(config.STAGES)


def test_all_four_models_are_there() -> None:
    assert {path.stem for path in ALL} == {*RANKS, *(f"{name}-single" for name in RANKS)}


def test_the_model_that_comes_with_scribe_is_named_and_its_shape_is_as_said() -> None:
    made = config.load_pipeline(FOLDER / "smollm2.toml")
    assert made.model.folder == open_base_folder()
    assert count_linear_weights(find_shape(made.model.shape)) == count_linear_weights(read_llama(made.model.folder))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"stage3": {}}, r"no section \[stage3\]; there may be: model, trajectories"),
        ({"model": {"bas": "x"}}, r"\[model\] has no 'bas'; it may have: base, bundles"),
        ({"trajectories": {"source": "api"}}, r"\[trajectories\] source"),
        ({"stage1": {"ranc": 3}}, r"\[stage1\] has no 'ranc'"),
        ({"stage1": {"stage": "later"}}, r'\[stage1\] is the stage "first", not "later"'),
        ({"single": {}}, r"or \[single\] alone, .*; here is \[stage1\], \[stage2\], \[single\]"),
        ({"brief": {"rank": 8}}, r"\[stage1\] goes on from the adapter of \[brief\]; give both the same rank"),
        ({"stage2": None}, r"here is \[stage1\]"),
        ({"export": {"quantizations": ["q3"]}}, r"\[export\] quantizations"),
    ],
)
def test_what_a_pipeline_cannot_be_is_said(change: dict[str, Any], said: str) -> None:
    told = tiny.make_config(Path("base")) | change
    with pytest.raises(UsageError, match=said):
        config.parse_pipeline({name: table for name, table in told.items() if table is not None})


def test_a_file_that_is_none_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"there\.toml cannot be read"):
        config.load_pipeline(tmp_path / "there.toml")
    (tmp_path / "wrong.toml").write_text("[model]\nbase = 3\n")
    with pytest.raises(UsageError, match=r"wrong\.toml: \[model\] base"):
        config.load_pipeline(tmp_path / "wrong.toml")


def test_the_folder_of_bundles_is_named_once_for_all_steps() -> None:
    told = tiny.make_config(Path("base"))
    made = config.parse_pipeline(told | {"model": {"bundles": str(COURSES)}, "filter": {"courses": "mine"}})
    assert made.model.bundles == str(COURSES)
    assert {made.trajectories.courses, made.examples.courses, made.export.courses} == {str(COURSES)}
    assert made.filter.courses == "mine"


def test_an_estimate_counts_the_conversations_of_the_set(tmp_path: Path) -> None:
    made = config.parse_pipeline(tiny.make_config(tiny.make_model(tmp_path)))
    assert count_conversations(made.trajectories) == tiny.CALLING + 1


def test_an_estimate_counts_the_questions_that_a_writer_will_be_asked(tmp_path: Path) -> None:
    asked = [asdict(Question(id, "dsp", "s041", "nr", "And week 3?")) for id in "abc"]
    (tmp_path / "q.jsonl").write_text("".join(json.dumps(one) + "\n" for one in asked))
    assert count_conversations(TrajectorySettings("files", questions=str(tmp_path / "q.jsonl"))) == 3
