"""`scribe ablate`: variants of a pipeline, asked the same questions, in one table and on one page.

`DIR` holds data/ (trajectories to examples, once for all), a folder for each variant, base/, answers/, ablation.csv,
ranks.csv, ablation.md and report/. Killed, the same command goes on.
"""

import argparse
import contextlib
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import eval
from app.ablation import tables
from app.ablation.variants import DATA, FILE, RANKS, Variant, list_variants
from app.commands import FAULT, answer
from app.commands.arguments import parse_count, parse_whole
from eval.judge.local import LocalChecks
from eval.report.page import write_report
from eval.report.report import build_report
from eval.report.runs import ReportRequest
from eval.tool_use.answers import read_expectations
from finetune.export import export_gguf
from finetune.pipeline.config import Pipeline, load_pipeline
from finetune.pipeline.run import claim, run_steps
from finetune.pipeline.steps import RunFolder, list_data_steps
from scribe.backends.weights import hash_weights
from scribe.plumbing.files import hash_path, write_text
from scribe.plumbing.progress import OnProgress, show_progress
from scribe.plumbing.signals import clean_up_when_ended
from tools.assembly.assistant import RecordedCourses, locate_courses
from tools.assembly.model import MakeBackend
from tools.assembly.settings import AssistantSettings

BASE = "base"
KINDS = ("two-stage", "single", "stage-1")
QUESTIONS = Path(eval.__file__).with_name("student_questions.jsonl")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """A pipeline, what of it is varied, and what all are asked."""
    parser.add_argument("config", type=Path, metavar="CONFIG.toml", help="the pipeline that is varied")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="variants, answers, table and page")
    parser.add_argument("--ranks", type=parse_count, nargs="+", metavar="R", help="default: 32 64 128 256")
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=KINDS, help="of training (default: all)")
    parser.add_argument("--questions", type=Path, default=QUESTIONS, metavar="FILE", help="asked of all")
    parser.add_argument("--limit", type=parse_count, metavar="N", help="only the first N questions")
    parser.add_argument("--parallel", type=parse_count, metavar="N", help="questions at a time")
    parser.add_argument("--threads", type=parse_whole, metavar="N", help="of the CPU for answering; 0 for all")
    parser.add_argument("--fresh", action="store_true", help="answer all anew")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace, settings: AssistantSettings, make: MakeBackend) -> int:
    """Train, ask and compare; what is done already stays."""
    pipeline, out = load_pipeline(arguments.config), arguments.out
    with clean_up_when_ended(), claim(out):
        wanted = list_variants(pipeline, arguments.kinds, arguments.ranks or RANKS, out)
        with show_progress() as on_progress:
            base = _make_base(pipeline, out / BASE)
            _train(pipeline, wanted, out, on_progress)
        chosen = _choose_settings(arguments, settings, pipeline)
        answers = {name: out / "answers" / f"{name}.jsonl" for name in (BASE, *(variant.name for variant in wanted))}
        for path, model in zip(answers.values(), (base, *(variant.file for variant in wanted)), strict=True):
            print(f"asking {path.stem}", file=sys.stderr)
            if _ask(arguments, chosen, path, model, make) == FAULT:
                return FAULT
        _write_tables(arguments.questions, answers, out)
        print(_write_page(answers, chosen, out / "report"))
    return 0


def _train(pipeline: Pipeline, wanted: Sequence[Variant], out: Path, on_progress: OnProgress) -> None:
    run_steps(list_data_steps(pipeline, RunFolder.of(out / DATA)), out / DATA, on_progress)
    for variant in wanted:

        def on_step(step: str, done: int, total: int, name: str = variant.name) -> None:
            on_progress(f"{name}: {step}", done, total)

        run_steps(variant.steps, variant.folder, on_step)


def _make_base(pipeline: Pipeline, out: Path) -> Path:
    """The untrained model as a file of the same kind as the others."""
    folder, file, note = pipeline.model.folder, out / FILE, out / "weights.sha256"
    now = hash_weights(folder)
    if not (file.exists() and note.exists() and note.read_text(encoding="utf-8") == now):
        export_gguf(folder, file, "q8_0")
        write_text(note, now)
    return file


def _choose_settings(
    arguments: argparse.Namespace, settings: AssistantSettings, pipeline: Pipeline
) -> AssistantSettings:
    """With the courses that were trained on; everything else as the settings say."""
    chosen = settings.with_changes("model", backend="llama", parallel=arguments.parallel, threads=arguments.threads)
    chosen = chosen.with_changes("model", prompt="learned" if pipeline.examples.by_heart else "full")
    return chosen.with_changes("courses", folder=str(pipeline.model.bundle_folder))


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
    parser = argparse.ArgumentParser(prog="scribe answer")
    answer.add_arguments(parser)
    with contextlib.redirect_stdout(sys.stderr):
        return answer.run(parser.parse_args(words), settings, make)


def _write_tables(questions: Path, answers: Mapping[str, Path], out: Path) -> None:
    """Write the tables, and print them."""
    accepted = read_expectations(questions)
    found = [tables.judge_answers(name, path, accepted) for name, path in answers.items()]
    drawn = [table for table in (tables.tabulate(found), tables.tabulate_trends(found)) if table.rows]
    for table in drawn:
        write_text(out / f"{table.id}.csv", table.csv())
    text = "\n\n".join(table.markdown() for table in drawn)
    write_text(out / "ablation.md", f"{text}\n")
    print(text)


def _write_page(answers: Mapping[str, Path], settings: AssistantSettings, out: Path) -> Path:
    runs, checks = [f"{name}={path}" for name, path in answers.items()], LocalChecks(RecordedCourses(settings).check)
    return write_report(build_report(ReportRequest(runs, checks=checks.judge, courses=locate_courses(settings))), out)
