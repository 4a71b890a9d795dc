"""One `scribe answer` from its files to what became of them; an engine is given, and how it works is its own affair."""

import contextlib
import sys
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from app.batch import fingerprints
from app.batch.checking import check_rows
from app.batch.fingerprints import Fingerprints, Ground
from app.batch.manifest import BatchRun, ManifestWriter, State, read_earlier
from app.batch.output import BrokenOff, Output
from app.batch.pace import BatchPace, show_pace
from app.batch.rows import Problems, QuestionRow
from app.batch.running import AnswerEngine, ResultWriter, carry_out
from app.batch.sheet import read_sheet
from data.course import Course
from scribe.errors import BackendError, UsageError
from scribe.plumbing.manifest import list_versions, manifest_path
from tools.assembly.settings import AssistantSettings

Order = Literal["input", "completion"]
StartEngine = Callable[[Mapping[str, Course], Mapping[str, Ground], int], AnswerEngine]
"""Makes an engine for these courses and as many rows; raises BackendError or UsageError."""


@dataclass(frozen=True, slots=True)
class BatchOptions:
    """What is to be answered and how.

    openai: answer in OpenAI's form even what is not asked in it. limit: rows from the beginning of the input.
    max_errors: failed rows of this run that are borne. `command`, `engine` and `parallel` are for the manifest.
    """

    source: Path
    out: Path
    openai: bool = False
    order: Order = "input"
    limit: int | None = None
    retry_failed: bool = False
    fresh: bool = False
    max_errors: int | None = None
    command: tuple[str, ...] = ()
    engine: str = "local"
    parallel: int = 1


@dataclass(frozen=True, slots=True)
class BatchOutcome:
    """How a run ended: rows by status, of those that were wanted; and why the first one failed in this run."""

    state: State
    wanted: int
    counts: Mapping[str, int]
    trouble: str


@dataclass(frozen=True, slots=True)
class _Plan:
    """A checked input: its rows, those that this run is about, the form of the answers, and the input's hash."""

    rows: tuple[QuestionRow, ...]
    wanted: tuple[QuestionRow, ...]
    courses: Mapping[str, Course]
    openai: bool
    sha256: str


def run_batch(options: BatchOptions, settings: AssistantSettings, start: StartEngine) -> BatchOutcome:
    """Answer what is not answered yet.

    Raises UsageError or BackendError before anything is written, and BrokenOff after.
    """
    plan = _plan(options, settings)
    with contextlib.closing(Output(options.out)) as output:
        grounds = {name: fingerprints.fingerprint_course(settings, course) for name, course in plan.courses.items()}
        with contextlib.closing(start(plan.courses, grounds, len(plan.wanted))) as engine:
            prints = fingerprints.make_fingerprints(settings, engine.info, grounds)
            counting = fingerprints.list_counting_settings(settings)
            going_on = output.rows and not options.fresh
            before = read_earlier(output.path) if going_on else {}
            if not options.fresh:
                fingerprints.refuse_other_rows(output, plan.rows, prints, plan.openai, counting, before)
            _begin(output, options, plan)
            head = {
                **_describe_run(options, settings, plan),
                "model": dict(engine.info),
                "fingerprint": _list_parts(prints),
            }
            writer = ResultWriter(output, prints, plan.openai)
            return _carry_out(
                options,
                plan,
                engine,
                writer,
                ManifestWriter(head, before),
            )


def _plan(options: BatchOptions, settings: AssistantSettings) -> _Plan:
    """The input, read and checked whole. Raises UsageError with all that is wrong with it."""
    source, out = options.source, options.out
    if not out.parent.is_dir():
        raise UsageError(f"there is no folder {out.parent} for the output; make it first")
    for taken in (out, manifest_path(out.resolve())):
        if source.exists() and taken.exists() and source.samefile(taken):
            raise UsageError(f"--out {out} would overwrite the input {source}; give another file as --out")
    problems = Problems(source)
    read = read_sheet(source, settings.answer, problems)
    found = check_rows(read.rows, settings, problems)
    problems.settle()
    openai = options.openai or read.form == "openai"
    return _Plan(found.rows, found.rows[: options.limit], found.courses, openai, read.sha256)


def _begin(output: Output, options: BatchOptions, plan: _Plan) -> None:
    """The output with nothing in it but what stays."""
    output.begin(options.fresh)
    again = {row.id for row in plan.wanted} if options.retry_failed else set()
    output.keep([id for id, kept in output.rows.items() if kept.status != "error" or id not in again])


def _carry_out(
    options: BatchOptions, plan: _Plan, engine: AnswerEngine, writing: ResultWriter, book: ManifestWriter
) -> BatchOutcome:
    """Carry out what is left, with the manifest right at each end."""
    output = writing.output
    left = fingerprints.list_left(output, plan.wanted)
    pacing = BatchPace(len(plan.wanted), len(plan.wanted) - len(left))
    begun = BatchRun.begin(options.command, options.engine, options.parallel)
    book.write(begun, output, len(plan.rows))
    state: State = "stopped"
    try:
        with show_pace(sys.stderr, len(plan.wanted)) as show:
            state = carry_out(engine, left, writing, pacing, show, options.max_errors)
        if state == "finished" and options.order == "input":
            output.keep([row.id for row in plan.rows if row.id in output.rows])
    except KeyboardInterrupt:
        state = "interrupted"
        raise
    except BackendError as error:
        raise BrokenOff(f"{error}; what is answered is in {output.path}") from error
    finally:
        _close_book(book, begun.end(state, pacing.seconds, pacing.answered), output, len(plan.rows))
    counts = Counter(output.rows[row.id].status for row in plan.wanted if row.id in output.rows)
    return BatchOutcome(state, len(plan.wanted), counts, pacing.trouble)


def _close_book(book: ManifestWriter, run: BatchRun, output: Output, rows: int) -> None:
    """The manifest as of the end; if it cannot be written after another error, that error is the one to hear."""
    going_wrong = sys.exc_info()[0] is not None
    try:
        book.write(run, output, rows)
    except BrokenOff:
        if not going_wrong:
            raise


def _describe_run(options: BatchOptions, settings: AssistantSettings, plan: _Plan) -> dict[str, Any]:
    return {
        "input": {"path": str(options.source), "sha256": plan.sha256, "rows": len(plan.rows)},
        "output": {"path": str(options.out), "form": "openai" if plan.openai else "rows", "order": options.order},
        "settings": fingerprints.list_counting_settings(settings),
        "all_settings": asdict(settings),
        "versions": list_versions(),
    }


def _list_parts(prints: Fingerprints) -> dict[str, Any]:
    grounds = {name: asdict(ground) for name, ground in prints.grounds.items()}
    return {"model": prints.model, "settings": prints.settings, "courses": grounds}
