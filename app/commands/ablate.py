"""`scribe ablate`: variants of a pipeline, asked the same questions, in one table and on one page.

`DIR` holds data/ (trajectories to examples, once for all), a folder for each variant, base/, answers/, ablation.csv,
ranks.csv, ablation.md and report/. Killed, the same command goes on.
"""

import argparse
import contextlib
import sys
from collections.abc import Sequence
from pathlib import Path

import eval
from app.ablation import counted
from app.ablation.answering import VariantAsking
from app.ablation.variants import DATA, FILE, RANKS, Variant, variants
from app.batch.output import BrokenOff
from app.commands import FAULT
from app.commands.arguments import parse_count, parse_whole
from eval.judge.local import Checks
from eval.report.results import Wanted, results
from eval.report.runs import Given
from eval.report.write import write
from eval.tool_use import asked
from finetune.export import export_gguf
from finetune.pipeline import config, running
from finetune.pipeline.config import Pipeline
from finetune.pipeline.steps import Place, of_data
from finetune.weights import weights_sha256
from scribe.plumbing.files import write_text
from scribe.plumbing.progress import OnProgress, show_progress
from scribe.plumbing.signals import clean_up_when_ended
from tools.assembly.assistant import locate_courses
from tools.assembly.model import MakeBackend
from tools.assembly.recorded_courses import RecordedCourses
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
    pipeline, out = config.load(arguments.config), arguments.out
    with clean_up_when_ended(), running.claimed(out):
        wanted = variants(pipeline, arguments.kinds, arguments.ranks or RANKS, out)
        with show_progress() as tell:
            base = _base(pipeline, out / BASE)
            _train(pipeline, wanted, out, tell)
        asking = _asking(arguments, settings, pipeline)
        models = {BASE: base} | {variant.name: variant.file for variant in wanted}
        for name, model in models.items():
            print(f"asking {name}", file=sys.stderr)
            try:
                with contextlib.redirect_stdout(sys.stderr):
                    asking.ask(name, model)
            except BrokenOff as error:
                print(f"scribe: {error}", file=sys.stderr)
                return FAULT
        _tell(list(models), asking, settings, out)
    return 0


def _train(pipeline: Pipeline, wanted: Sequence[Variant], out: Path, tell: OnProgress) -> None:
    running.run(of_data(pipeline, Place.of(out / DATA)), out / DATA, tell)
    for variant in wanted:

        def told(step: str, done: int, total: int, name: str = variant.name) -> None:
            tell(f"{name}: {step}", done, total)

        running.run(variant.steps, variant.folder, told)


def _base(pipeline: Pipeline, out: Path) -> Path:
    """The untrained model as a file of the same kind as the others."""
    folder, file, note = pipeline.model.folder, out / FILE, out / "weights.sha256"
    now = weights_sha256(folder)
    if not (file.exists() and note.exists() and note.read_text(encoding="utf-8") == now):
        export_gguf(folder, file, "q8_0")
        write_text(note, now)
    return file


def _asking(arguments: argparse.Namespace, settings: AssistantSettings, pipeline: Pipeline) -> VariantAsking:
    """With the courses that were trained on; everything else as the settings say."""
    chosen = settings.with_changes("model", parallel=arguments.parallel, threads=arguments.threads)
    chosen = chosen.with_changes("model", prompt="learned" if pipeline.examples.by_heart else "full")
    chosen = chosen.with_changes("courses", folder=str(pipeline.model.bundle_folder))
    return VariantAsking(arguments.questions, arguments.out / "answers", chosen, arguments.limit, arguments.fresh)


def _tell(names: Sequence[str], asking: VariantAsking, settings: AssistantSettings, out: Path) -> None:
    """Write tables and page, and print the tables."""
    accepted = asked.read(asking.questions)
    found = [counted.counted(name, asking.path(name), accepted) for name in names]
    tables = [table for table in (counted.table(found), counted.trends(found)) if table.rows]
    for table in tables:
        write_text(out / f"{table.id}.csv", table.csv())
    text = "\n\n".join(table.markdown() for table in tables)
    write_text(out / "ablation.md", f"{text}\n")
    print(text)
    print(_page(names, asking, settings, out / "report"))


def _page(names: Sequence[str], asking: VariantAsking, settings: AssistantSettings, out: Path) -> Path:
    checks = Checks(RecordedCourses(asking.settings).check).judge
    given = Given([f"{name}={asking.path(name)}" for name in names], checks=checks)
    return write(results(Wanted(given, courses=locate_courses(asking.settings))), out)
