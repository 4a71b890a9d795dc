"""`scribe ablate`: variants of a pipeline, asked the same questions, on one page.

`DIR` holds data/ (trajectories to examples, once for all), a folder for each variant, base/, answers/ and report/.
Killed, the same command goes on. What varies is the rank, and whether there are two stages, one, or the first alone.
"""

import argparse
import contextlib
import itertools
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import eval
from app.commands import FAULT, answer, report, run_command
from app.commands.arguments import parse_count, parse_whole
from finetune.export import export_gguf
from finetune.pipeline.config import BRIEF, STAGES, Pipeline, load_pipeline
from finetune.pipeline.run import claim, run_steps
from finetune.pipeline.steps import RunFolder, list_data_steps, list_first_stage_steps, list_stage_steps
from finetune.settings import courses_folder
from finetune.step import PipelineStep
from scribe.backends.weights import hash_weights
from scribe.plumbing.errors import UsageError
from scribe.plumbing.files import hash_path, write_text
from scribe.plumbing.progress import OnProgress, show_progress
from scribe.plumbing.signals import clean_up_when_ended
from tools.assembly.model import MakeBackend
from tools.assembly.settings import AssistantSettings

KINDS = ("two-stage", "single", "stage-1")
RANKS = (32, 64, 128, 256)
"""Those of the paper's Figures 6 to 9."""
BASE, DATA, FILE = "base", "data", "model.q8_0.gguf"
QUESTIONS = Path(eval.__file__).with_name("student_questions.jsonl")


@dataclass(frozen=True, slots=True)
class Variant:
    """One model. name: `KIND@RANK`, by which the report groups runs. folder: of its files; steps: what makes it."""

    name: str
    folder: Path
    steps: tuple[PipelineStep, ...]

    @property
    def file(self) -> Path:
        return self.steps[-1].out / FILE


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("config", type=Path, metavar="CONFIG.toml", help="the pipeline that is varied")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="variants, answers and page")
    parser.add_argument("--ranks", type=parse_count, nargs="+", metavar="R", help="default: 32 64 128 256")
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=KINDS, help="of training (default: all)")
    parser.add_argument("--questions", type=Path, default=QUESTIONS, metavar="FILE", help="asked of all")
    parser.add_argument("--limit", type=parse_count, metavar="N", help="only the first N questions")
    parser.add_argument("--parallel", type=parse_count, metavar="N", help="questions at a time")
    parser.add_argument("--threads", type=parse_whole, metavar="N", help="of the CPU for answering; 0 for all")
    parser.add_argument("--fresh", action="store_true", help="answer all anew")


def run(arguments: argparse.Namespace, settings: AssistantSettings, make: MakeBackend) -> int:
    pipeline, out = load_pipeline(arguments.config), arguments.out
    if not arguments.questions.is_file():
        raise UsageError(f"there is no file of questions {arguments.questions}; give another --questions")
    with clean_up_when_ended(), claim(out):
        variants = list_variants(pipeline, arguments.kinds, arguments.ranks or RANKS, out)
        with show_progress() as on_progress:
            models = {BASE: _make_base(pipeline, out / BASE)} | {variant.name: variant.file for variant in variants}
            run_steps(list_data_steps(pipeline, RunFolder(out / DATA)), out / DATA, on_progress)
            for variant in variants:
                run_steps(variant.steps, variant.folder, _prefix_steps(variant.name, on_progress))
        prompt = "learned" if pipeline.examples.by_heart else "full"
        given = {"prompt": prompt, "parallel": arguments.parallel, "threads": arguments.threads}
        chosen = settings.with_changes("model", backend="llama", **given)
        chosen = chosen.with_changes(
            "courses", folder=str(courses_folder(pipeline.model.bundles))
        )  # those that were trained on
        for name, model in models.items():
            print(f"asking {name}", file=sys.stderr)
            if _ask(arguments, chosen, out / "answers" / f"{name}.jsonl", model, make) == FAULT:
                return FAULT
        runs = [f"{name}={out / 'answers' / f'{name}.jsonl'}" for name in models]
        shown = ["--judge", "local", "--questions", str(arguments.questions)]
        return run_command(report, [*runs, "--out", str(out / "report"), *shown], chosen, make)


def list_variants(pipeline: Pipeline, kinds: Sequence[str], ranks: Sequence[int], out: Path) -> list[Variant]:
    """Each kind with each rank, all on the examples in `out`/data; a first stage is trained once for both its kinds."""
    variants = []
    for kind, rank in itertools.product(kinds, dict.fromkeys(ranks)):
        made = vary(pipeline, single=kind == "single", rank=rank)
        folder = out / f"{'single' if made.single else 'two-stage'}@{rank}"
        list_steps = list_first_stage_steps if kind == "stage-1" else list_stage_steps
        variants.append(Variant(f"{kind}@{rank}", folder, list_steps(made, RunFolder(folder, out / DATA))))
    return variants


def vary(pipeline: Pipeline, single: bool, rank: int) -> Pipeline:
    """The pipeline with one stage or two, of this rank; what is exported is what answers.

    alpha keeps its ratio to the rank, so that the adapter's scale is the same in all. Stages that the file lacks are
    trained as its first one, which has the settings that the paper gives for both.
    """
    given = pipeline.stages
    first = next(stage for name, stage in given.items() if name != BRIEF)
    names = [BRIEF] * (BRIEF in given) + (["single"] if single else ["stage1", "stage2"])
    sources = {name: given.get(name, first) for name in names}
    stages = {
        name: replace(stage, stage=STAGES[name], rank=rank, alpha=stage.alpha / stage.rank * rank)
        for name, stage in sources.items()
    }
    return replace(pipeline, stages=stages, export=replace(pipeline.export, quantizations=("q8_0",)))


def _prefix_steps(name: str, on_progress: OnProgress) -> OnProgress:
    return lambda step, done, total: on_progress(f"{name}: {step}", done, total)


def _make_base(pipeline: Pipeline, out: Path) -> Path:
    """The untrained model as a file of the same kind as the others."""
    folder, file, note = pipeline.model.folder, out / FILE, out / "weights.sha256"
    now = hash_weights(folder)
    if not (file.exists() and note.exists() and note.read_text(encoding="utf-8") == now):
        export_gguf(folder, file, "q8_0")
        write_text(note, now)
    return file


def _ask(arguments: argparse.Namespace, settings: AssistantSettings, path: Path, model: Path, make: MakeBackend) -> int:
    """Have `scribe answer` answer what this model has not answered yet. Raises UsageError or BackendError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    note, now = path.with_suffix(".of"), f"{hash_path(model)} {hash_path(arguments.questions)}\n"
    if not note.exists() or note.read_text(encoding="utf-8") != now:  # answers of another model or to other questions
        path.unlink(missing_ok=True)
        write_text(note, now)
    words = [str(arguments.questions), "--out", str(path), "--retry-failed", "--model", str(model)]
    words += ["--fresh"] if arguments.fresh else []
    words += ["--limit", str(arguments.limit)] if arguments.limit else []
    with contextlib.redirect_stdout(sys.stderr):
        return run_command(answer, words, settings, make)
