"""One `scribe answer` from its files to what became of them; an engine is given, and how it works is its own affair."""

import contextlib
import sys
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from app.batch import checked, fingerprints, manifest, pace, resume, sheet
from app.batch.fingerprints import Fingerprints, Ground
from app.batch.manifest import Run, State
from app.batch.output import BrokenOff, Output
from app.batch.pace import Pace
from app.batch.row import Problems, Row
from app.batch.running import Engine, Writing, carry_out
from app.settings import Settings
from data.course import Course
from scribe.errors import BackendError, UsageError
from scribe.plumbing.manifest import list_versions

Order = Literal["input", "completion"]
StartEngine = Callable[[Mapping[str, Course], Mapping[str, Ground], int], Engine]
"""Makes an engine for these courses and as many rows; raises BackendError or UsageError."""


@dataclass(frozen=True, slots=True)
class Options:
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
class Outcome:
    """How a run ended: rows by status, of those that were wanted; and why the first one failed in this run."""

    state: State
    wanted: int
    counts: Mapping[str, int]
    trouble: str


@dataclass(frozen=True, slots=True)
class _Plan:
    """A checked input: its rows, those that this run is about, the form of the answers, and the input's hash."""

    rows: tuple[Row, ...]
    wanted: tuple[Row, ...]
    courses: Mapping[str, Course]
    openai: bool
    sha256: str


def run(options: Options, settings: Settings, start: StartEngine) -> Outcome:
    """Answer what is not answered yet.

    Raises UsageError or BackendError before anything is written, and BrokenOff after.
    """
    plan = _planned(options, settings)
    with contextlib.closing(Output(options.out)) as output:
        grounds = {name: fingerprints.ground(settings, course) for name, course in plan.courses.items()}
        with contextlib.closing(start(plan.courses, grounds, len(plan.wanted))) as engine:
            prints = fingerprints.make(settings, engine.info, grounds)
            counting = fingerprints.counting(settings)
            going_on = output.rows and not options.fresh
            before = manifest.earlier(manifest.beside(output.path)) if going_on else {}
            if not options.fresh:
                resume.check(output, plan.rows, prints, plan.openai, counting, before)
            _begin(output, options, plan)
            head = {**_head(options, settings, plan), "model": dict(engine.info), "fingerprint": _parts(prints)}
            return _answered(options, plan, engine, Writing(output, prints, plan.openai), _Book(head, before))


def _planned(options: Options, settings: Settings) -> _Plan:
    """The input, read and checked whole. Raises UsageError with all that is wrong with it."""
    source, out = options.source, options.out
    if not out.parent.is_dir():
        raise UsageError(f"there is no folder {out.parent} for the output; make it first")
    book = manifest.beside(out.resolve())
    for taken in (out, book, *(path.with_name(f"{path.name}.partial") for path in (out.resolve(), book))):
        if source.exists() and taken.exists() and source.samefile(taken):
            raise UsageError(f"--out {out} would overwrite the input {source}; give another file as --out")
    problems = Problems(source)
    read = sheet.read(source, settings.answer, problems)
    found = checked.check(read.rows, settings, problems)
    problems.settle()
    openai = options.openai or read.form == "openai"
    return _Plan(found.rows, found.rows[: options.limit], found.courses, openai, read.sha256)


def _begin(output: Output, options: Options, plan: _Plan) -> None:
    """The output with nothing in it but what stays."""
    output.begin(options.fresh)
    again = {row.id for row in plan.wanted} if options.retry_failed else set()
    output.keep([id for id, kept in output.rows.items() if kept.status != "error" or id not in again])


@dataclass(frozen=True, slots=True)
class _Book:
    """Keeps the manifest: what does not change in a run, and the manifest before it."""

    head: Mapping[str, Any]
    before: Mapping[str, Any]

    def write(self, run: Run, output: Output, rows: int) -> None:
        """Write it as of now. Raises BrokenOff."""
        runs = [*self.before.get("runs", []), asdict(run)]
        spent = sum(float(each.get("seconds", 0)) for each in runs)
        times = {"started": runs[0].get("started"), "ended": run.ended, "seconds": round(spent, 3)}
        content = {**self.head, **manifest.totals(output.rows.values(), rows), **times, "runs": runs}
        try:
            manifest.write(manifest.beside(output.path), content)
        except OSError as error:
            raise BrokenOff(f"the manifest of {output.path} cannot be written: {error.strerror}") from error


def _answered(options: Options, plan: _Plan, engine: Engine, writing: Writing, book: _Book) -> Outcome:
    """Carry out what is left, with the manifest right at each end."""
    output = writing.output
    left = resume.left(output, plan.wanted)
    pacing = Pace(len(plan.wanted), len(plan.wanted) - len(left))
    begun = manifest.begun(options.command, options.engine, options.parallel)
    book.write(begun, output, len(plan.rows))
    state: State = "stopped"
    try:
        with contextlib.closing(pace.screen(sys.stderr, len(plan.wanted))) as screen:
            state = carry_out(engine, left, writing, pacing, screen, options.max_errors)
        if state == "finished" and options.order == "input":
            output.keep([row.id for row in plan.rows if row.id in output.rows])
    except KeyboardInterrupt:
        state = "interrupted"
        raise
    except BackendError as error:
        raise BrokenOff(f"{error}; what is answered is in {output.path}") from error
    finally:
        _close_book(book, manifest.ended(begun, state, pacing.seconds, pacing.answered), output, len(plan.rows))
    counts = Counter(output.rows[row.id].status for row in plan.wanted if row.id in output.rows)
    return Outcome(state, len(plan.wanted), counts, pacing.trouble)


def _close_book(book: _Book, run: Run, output: Output, rows: int) -> None:
    """The manifest as of the end; if it cannot be written after another error, that error is the one to hear."""
    going_wrong = sys.exc_info()[0] is not None
    try:
        book.write(run, output, rows)
    except BrokenOff:
        if not going_wrong:
            raise


def _head(options: Options, settings: Settings, plan: _Plan) -> dict[str, Any]:
    return {
        "input": {"path": str(options.source), "sha256": plan.sha256, "rows": len(plan.rows)},
        "output": {"path": str(options.out), "form": "openai" if plan.openai else "rows", "order": options.order},
        "settings": fingerprints.counting(settings),
        "all_settings": asdict(settings),
        "versions": list_versions(manifest.PACKAGES),
    }


def _parts(prints: Fingerprints) -> dict[str, Any]:
    grounds = {name: asdict(ground) for name, ground in prints.grounds.items()}
    return {"model": prints.model, "settings": prints.settings, "courses": grounds}
