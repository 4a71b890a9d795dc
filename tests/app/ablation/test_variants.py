"""What differs between variants, and that nothing else does."""

from dataclasses import replace
from pathlib import Path

from app.ablation.variants import list_variants, vary
from finetune.pipeline import config
from tests.finetune import tiny

PIPELINE = config.parse_pipeline(tiny.make_config(Path("base")))


def test_the_rank_changes_and_the_scale_stays() -> None:
    made = vary(PIPELINE, single=False, rank=64)
    assert [(stage.rank, stage.alpha) for stage in made.stages.values()] == [(64, 128.0), (64, 128.0)]
    assert replace(made.stages["stage2"], rank=4, alpha=8.0) == PIPELINE.stages["stage2"]
    assert (made.trajectories, made.examples, made.model) == (PIPELINE.trajectories, PIPELINE.examples, PIPELINE.model)


def test_a_single_stage_is_trained_as_the_first_one_but_on_everything() -> None:
    made = vary(PIPELINE, single=True, rank=4)
    assert made.stages == {"single": replace(PIPELINE.stages["stage1"], stage="single")}
    back = vary(made, single=False, rank=4)
    assert [stage.stage for stage in back.stages.values()] == ["first", "later"]


def test_all_take_the_same_examples_and_a_first_stage_is_trained_once() -> None:
    made = list_variants(PIPELINE, ("two-stage", "single", "stage-1"), (4, 8, 4), Path("out"))
    assert [each.name for each in made] == [
        f"{kind}@{rank}" for kind in ("two-stage", "single", "stage-1") for rank in (4, 8)
    ]
    examples = {each.steps[0].inputs["examples"] for each in made}
    assert examples == {Path("out/data/3-examples.parquet")}
    whole, first = made[0], made[4]
    assert whole.steps[0].out == first.steps[0].out == Path("out/two-stage@4/4-stage1")
    assert whole.file != first.file
    assert len({each.file for each in made}) == 6
