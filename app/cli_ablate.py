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
from eval.report.results import Wanted, results
from eval.report.runs import Given
from eval.report.write import write
from eval.tool_use import asked
from finetune.export import export_gguf
from finetune.pipeline.config import Pipeline, load_pipeline
from finetune.pipeline.run import claim, run_steps
from finetune.pipeline.steps import RunFolder, list_data_steps
from scribe.backends.adapter import weights_sha256
from scribe.plumbing.files import write_text
from scribe.plumbing.progress import OnProgress, show_progress

BASE = "base"


def run(arguments: argparse.Namespace, settings: Settings, make: MakeBackend | None) -> int:
    """Train, ask and compare; what is done already stays."""
    pipeline, out = load_pipeline(arguments.config), arguments.out
    with cleaning_up(), claim(out):
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
    run_steps(list_data_steps(pipeline, RunFolder.of(out / DATA)), out / DATA, tell)
    for variant in wanted:

        def told(step: str, done: int, total: int, name: str = variant.name) -> None:
            tell(f"{name}: {step}", done, total)

        run_steps(variant.steps, variant.folder, told)


def _base(pipeline: Pipeline, out: Path) -> Path:
    """The untrained model as a file of the same kind as the others."""
    folder, file, note = pipeline.model.folder, out / FILE, out / "weights.sha256"
    now = weights_sha256(folder)
    if not (file.exists() and note.exists() and note.read_text(encoding="utf-8") == now):
        export_gguf(folder, file, "q8_0")
        write_text(note, now)
    return file


def _asking(arguments: argparse.Namespace, settings: Settings, pipeline: Pipeline) -> Asking:
    """With the courses that were trained on; everything else as the settings say."""
    chosen = settings.changed("model", parallel=arguments.parallel, threads=arguments.threads)
    chosen = chosen.changed("model", prompt="learned" if pipeline.examples.by_heart else "full")
    chosen = chosen.changed("courses", folder=str(pipeline.model.bundle_folder))
    return Asking(arguments.questions, arguments.out / "answers", chosen, arguments.limit, arguments.fresh)


def _tell(names: Sequence[str], asking: Asking, settings: Settings, out: Path) -> None:
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


def _page(names: Sequence[str], asking: Asking, settings: Settings, out: Path) -> Path:
    checks = Parts(asking.settings).checks.judge
    given = Given([f"{name}={asking.path(name)}" for name in names], checks=checks)
    return write(results(Wanted(given, courses=courses_folder(asking.settings))), out)
