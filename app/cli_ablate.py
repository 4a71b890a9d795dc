"""`scribe ablate`: variants of a pipeline, asked the same questions, in one table and on one page.

`DIR` holds data/ (trajectories to examples, once for all), a folder for each variant, base/, answers/, ablation.csv,
ranks.csv, ablation.md and report/. Killed, the same command goes on.
"""

import argparse
import contextlib
import sys
from collections.abc import Sequence
from pathlib import Path

from app.ablation import counted
from app.ablation.answering import Asking
from app.ablation.variants import DATA, FILE, RANKS, Variant, variants
from app.batch.output import BrokenOff
from app.build import MakeBackend, courses_folder
from app.cli import FAULT
from app.ending import cleaning_up
from app.judging import Parts
from app.settings import Settings
from eval.report.page import write_report
from eval.report.report import build_report
from eval.report.runs import ReportRequest
from eval.tool_use.answers import read_expectations
from finetune.export import export_gguf
from finetune.pipeline import config, running
from finetune.pipeline.config import Pipeline
from finetune.pipeline.steps import Place, of_data
from finetune.weights import weights_sha256
from finetune.whole import written
from scribe.plumbing.progress import OnProgress, show_progress

BASE = "base"


def run(arguments: argparse.Namespace, settings: Settings, make: MakeBackend | None) -> int:
    """Train, ask and compare; what is done already stays."""
    pipeline, out = config.load(arguments.config), arguments.out
    with cleaning_up(), running.claimed(out):
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
        with written(note) as partial:
            partial.write_text(now, encoding="utf-8")
    return file


def _asking(arguments: argparse.Namespace, settings: Settings, pipeline: Pipeline) -> Asking:
    """With the courses that were trained on; everything else as the settings say."""
    chosen = settings.changed("model", parallel=arguments.parallel, threads=arguments.threads)
    chosen = chosen.changed("model", prompt="learned" if pipeline.examples.by_heart else "full")
    chosen = chosen.changed("courses", folder=str(pipeline.model.bundle_folder))
    return Asking(arguments.questions, arguments.out / "answers", chosen, arguments.limit, arguments.fresh)


def _tell(names: Sequence[str], asking: Asking, settings: Settings, out: Path) -> None:
    """Write tables and page, and print the tables."""
    accepted = read_expectations(asking.questions)
    found = [counted.counted(name, asking.path(name), accepted) for name in names]
    tables = [table for table in (counted.table(found), counted.trends(found)) if table.rows]
    for table in tables:
        _put(out / f"{table.id}.csv", table.csv())
    text = "\n\n".join(table.markdown() for table in tables)
    _put(out / "ablation.md", f"{text}\n")
    print(text)
    print(_page(names, asking, settings, out / "report"))


def _page(names: Sequence[str], asking: Asking, settings: Settings, out: Path) -> Path:
    checks = Parts(asking.settings).checks.judge
    runs = [f"{name}={asking.path(name)}" for name in names]
    return write_report(build_report(ReportRequest(runs, checks=checks, courses=courses_folder(asking.settings))), out)


def _put(path: Path, text: str) -> None:
    with written(path) as partial:
        partial.write_text(text, encoding="utf-8")
