"""The whole pipeline on a two-layer model: what it leaves, what it does again, and that the chat loads it."""

from dataclasses import replace
from pathlib import Path

import pytest

from finetune.pipeline.config import Pipeline
from finetune.pipeline.dry_run import GUESSED, forecast_stages
from finetune.pipeline.run import StepRun, choose_steps, claim, run_steps, tabulate_run
from finetune.pipeline.steps import RunFolder, list_first_stage_steps, list_stage_steps, list_steps
from finetune.step import PipelineStep
from scribe.plumbing.errors import UsageError
from scribe.plumbing.manifest import read_step
from scribe.trajectory import Stop, Trajectory
from tests.finetune import tiny
from tools.assembly.assistant import assemble, find_course
from tools.assembly.model import make_backend
from tools.assembly.settings import AssistantSettings

NAMES = ["trajectories", "filter", "examples", "stage1", "merge", "stage2", "export"]


def by_name(all_steps: tuple[PipelineStep, ...], name: str) -> PipelineStep:
    return next(step for step in all_steps if step.name == name)


@pytest.mark.timeout(900)
def test_one_command_goes_from_a_bundle_to_a_file_that_answers(ran: tuple[StepRun, ...], place: RunFolder) -> None:
    assert [each.step.name for each in ran] == NAMES
    assert all(each.why == "it has not been made" and each.seconds > 0 for each in ran[1:])
    settings = AssistantSettings().with_changes("model", path=str(place.model / "model.q8_0.gguf"), threads=1)
    settings = settings.with_changes("answer", max_tokens=16, steps=2, faults=1)
    assistant = assemble(settings, find_course(settings), make_backend(settings))
    done = assistant.agent("s010").run(Trajectory(assistant.task("s010", "why did week 4 go badly?")))
    assert done.stop in (Stop.ANSWERED, Stop.UNRESOLVED)
    assert done.usage.completion_tokens > 0


def test_every_step_leaves_its_files_and_a_manifest(ran: tuple[StepRun, ...], place: RunFolder) -> None:
    assert all(read_step(each.step.out) for each in ran)
    assert {path.name for path in place.model.iterdir()} >= {"model.f16.gguf", "model.q4_k_m.gguf", "hf"}
    shown = tabulate_run(ran)
    assert [row[0] for row in shown.rows] == NAMES
    assert f"trajectories {tiny.CALLING + 1}, calls" in str(shown.rows[0][4]) and "minutes in all" in shown.note


def test_what_is_done_is_not_done_again(ran: tuple[StepRun, ...], pipeline: Pipeline, place: RunFolder) -> None:
    told: list[str] = []
    again = run_steps(list_steps(pipeline, place), place.folder, lambda step, done, total: told.append(step))
    assert not told and not any(each.why for each in again)


def test_a_changed_setting_makes_only_what_depends_on_it_due(
    ran: tuple[StepRun, ...], pipeline: Pipeline, place: RunFolder
) -> None:
    stages = {**pipeline.stages, "stage2": replace(pipeline.stages["stage2"], learning_rate=1e-4)}
    due = {step.name: step.due for step in list_steps(replace(pipeline, stages=stages), place)}
    assert due["stage2"] == "settings changed: learning_rate"
    assert [name for name, why in due.items() if why] == ["stage2"]  # the export, once its input has changed
    other = replace(pipeline, filter=replace(pipeline.filter, faults=0))
    assert by_name(list_steps(other, place), "filter").due == "settings changed: faults"


def test_a_single_stage_shares_the_examples_of_the_first_run(
    ran: tuple[StepRun, ...], pipeline: Pipeline, place: RunFolder, tmp_path: Path
) -> None:
    brief = replace(pipeline, export=replace(pipeline.export, quantizations=("f16",)))
    brisk = {learn: replace(brief.stages["stage1"], stage=learn, epochs=1) for learn in ("brief", "single")}
    single = replace(brief, stages=brisk)
    one = RunFolder(tmp_path / "single", place.data)
    made = run_steps(list_stage_steps(single, one), one.folder)
    assert [each.step.name for each in made] == ["brief", "single", "export"]
    assert made[1].step.inputs["init_adapter"] == one.stage("brief") / "adapter"
    assert (one.model / "model.f16.gguf").read_bytes() != (place.model / "model.f16.gguf").read_bytes()
    assert not one.examples.is_relative_to(one.folder)


def test_the_first_stage_alone_can_be_exported_beside_the_whole(
    ran: tuple[StepRun, ...], pipeline: Pipeline, place: RunFolder
) -> None:
    brief = replace(pipeline, export=replace(pipeline.export, quantizations=("f16",)))
    first, made = run_steps(list_first_stage_steps(brief, place), place.folder)
    assert not first.why and made.step.out != place.model
    assert (made.step.out / "model.f16.gguf").read_bytes() != (place.model / "model.f16.gguf").read_bytes()


def test_a_step_alone_says_what_it_lacks(pipeline: Pipeline, tmp_path: Path) -> None:
    only = choose_steps(list_steps(pipeline, RunFolder(tmp_path)), only="filter")
    with pytest.raises(UsageError, match=r"filter needs .*1-trajectories\.jsonl, which is not there"):
        run_steps(only, tmp_path)


def test_steps_are_chosen_by_name(pipeline: Pipeline, tmp_path: Path) -> None:
    whole = list_steps(pipeline, RunFolder(tmp_path))
    assert [step.name for step in choose_steps(whole, until="filter")] == NAMES[:2]
    with pytest.raises(UsageError, match="no step 'filtre' here; there are: trajectories, filter"):
        choose_steps(whole, only="filtre")
    with pytest.raises(UsageError, match="give one of them"):
        choose_steps(whole, "filter", "filter")


def test_two_runs_do_not_share_a_folder(tmp_path: Path) -> None:
    with claim(tmp_path), pytest.raises(UsageError, match="another run is working"):
        run_steps((), tmp_path)
    assert run_steps((), tmp_path) == ()  # it is free again


def test_what_a_killed_run_left_half_written_is_cleared_but_not_a_checkpoint(tmp_path: Path) -> None:
    (tmp_path / ".model.gguf.abc.partial").write_text("half")
    (tmp_path / ".6-merged.x.partial").mkdir()
    (tmp_path / ".6-merged.x.partial" / "weights").write_text("half")
    (tmp_path / ".5-stage1.work").mkdir()
    run_steps((), tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {".5-stage1.work"}


def test_an_estimate_counts_examples_once_they_are_there(
    ran: tuple[StepRun, ...], pipeline: Pipeline, place: RunFolder, tmp_path: Path
) -> None:
    counted, guessed = forecast_stages(pipeline, place), forecast_stages(pipeline, RunFolder(tmp_path))
    made = read_step(place.examples)
    assert made is not None
    assert counted[0].work.rows == made.counts["rows"] and counted[0].source == "counted in the examples"
    assert counted[0].work.labels == round(made.counts["labels_first"] / made.counts["rows"])
    assert counted[1].work.rows <= counted[0].work.rows  # a question without a call teaches the second stage nothing
    assert guessed[0].source == GUESSED
    assert guessed[0].estimate.trainable == counted[0].estimate.trainable


def test_what_lies_in_the_folder_and_is_not_ours_stays(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".1-trajectories.jsonl.x.partial").write_text("half")
    with claim(tmp_path):
        assert (tmp_path / ".git").is_dir()
        assert not list(tmp_path.glob("*.partial"))
        assert not list(tmp_path.glob(".*.partial"))
