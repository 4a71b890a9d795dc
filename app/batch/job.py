"""One `scribe answer` from its files to what became of them; an engine is given, and how it works is its own affair."""

import contextlib
import sys
import time
from collections import Counter
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal, Protocol

from app.batch import openai_form
from app.batch.fingerprints import Fingerprints, Ground, fingerprint_course, make_fingerprints, refuse_other_rows
from app.batch.manifest import State, read_earlier, write_batch_manifest
from app.batch.output import BrokenOff, Output
from app.batch.pace import BatchPace, show_pace
from app.batch.result import RowResult
from app.batch.rows import Problems, QuestionRow, check_rows
from app.batch.sheet import read_sheet
from data.course import Course
from scribe.errors import BackendError, UsageError
from scribe.plumbing.manifest import format_now, list_versions, manifest_path
from scribe.plumbing.signals import notice_interruption
from tools.assembly.settings import AssistantSettings


class AnswerEngine(Protocol):
    """Whatever answers rows, here or elsewhere."""

    @property
    def info(self) -> Mapping[str, str]: ...

    def results(
        self, rows: Sequence[QuestionRow], stopped: Callable[[], bool]
    ) -> Generator[RowResult | None, None, None]:
        """One result for each row in any order; None while there is none, so that others have their turn."""
        ...

    def close(self) -> None: ...


StartEngine = Callable[[Mapping[str, Course], Mapping[str, Ground], int], AnswerEngine]
"""Makes an engine for these courses and as many rows; raises BackendError or UsageError."""


@dataclass(frozen=True, slots=True)
class BatchOptions:
    """What is to be answered and how; each field is an argument of `scribe answer`.

    openai: answer in OpenAI's form even what is not asked in it. limit: rows from the beginning of the input.
    max_errors: failed rows of this run that are borne. `engine` is for the manifest.
    """

    source: Path
    out: Path
    openai: bool
    order: Literal["input", "completion"]
    limit: int | None
    retry_failed: bool
    fresh: bool
    max_errors: int | None
    engine: str


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

    rows: Sequence[QuestionRow]
    wanted: Sequence[QuestionRow]
    courses: Mapping[str, Course]
    openai: bool
    sha256: str


def run_batch(options: BatchOptions, settings: AssistantSettings, start: StartEngine) -> BatchOutcome:
    """Answer what is not answered yet.

    Raises UsageError or BackendError before anything is written, and BrokenOff after.
    """
    plan = _read_plan(options, settings)
    with contextlib.closing(Output(options.out)) as output:
        grounds = {name: fingerprint_course(settings, course) for name, course in plan.courses.items()}
        with contextlib.closing(start(plan.courses, grounds, len(plan.wanted))) as engine:
            prints = make_fingerprints(settings, engine.info, grounds)
            earlier = read_earlier(output.path) if output.rows and not options.fresh else {}
            if not options.fresh:
                refuse_other_rows(output, plan.rows, prints, plan.openai, earlier)
            output.begin(options.fresh)
            again = {row.id for row in plan.wanted} if options.retry_failed else set()
            output.keep([id for id, kept in output.rows.items() if kept.status != "error" or id not in again])
            head = _describe_run(options, settings, plan) | {
                "model": dict(engine.info),
                "settings": prints.counting,
                "fingerprint": _list_parts(prints),
            }
            how = {"command": " ".join(sys.argv), "engine": options.engine, "parallel": settings.model.parallel}
            begun = how | {"started": format_now(), "ended": None, "seconds": 0.0, "answered": 0, "state": "running"}
            runs = [*earlier.get("runs", []), begun]
            write_batch_manifest(output, head, runs, len(plan.rows))
            pace = BatchPace(len(plan.wanted), sum(row.id in output.rows for row in plan.wanted))
            state: State = "stopped"
            try:
                state = _answer_rows(options, plan, engine, output, prints, pace)
            except KeyboardInterrupt:
                state = "interrupted"
                raise
            except BackendError as error:
                raise BrokenOff(f"{error}; what is answered is in {output.path}") from error
            finally:
                seconds = round(time.monotonic() - pace.begun, 3)
                begun |= {"ended": format_now(), "seconds": seconds, "answered": pace.counts.total(), "state": state}
                # Of two errors the first is the one to hear.
                with contextlib.suppress(BrokenOff) if sys.exc_info()[0] else contextlib.nullcontext():
                    write_batch_manifest(output, head, runs, len(plan.rows))
    counts = Counter(output.rows[row.id].status for row in plan.wanted if row.id in output.rows)
    return BatchOutcome(state, len(plan.wanted), counts, pace.trouble)


def _read_plan(options: BatchOptions, settings: AssistantSettings) -> _Plan:
    """The input, read and checked whole. Raises UsageError with all that is wrong with it."""
    source, out = options.source, options.out
    if not out.parent.is_dir():
        raise UsageError(f"there is no folder {out.parent} for the output; make it first")
    for taken in (out, manifest_path(out.resolve())):
        if source.exists() and taken.exists() and source.samefile(taken):
            raise UsageError(f"--out {out} would overwrite the input {source}; give another file as --out")
    problems = Problems(source)
    read = read_sheet(source, settings.answer, problems)
    rows, courses = check_rows(read.rows, settings, problems)
    problems.settle()
    return _Plan(rows, rows[: options.limit], courses, options.openai or read.openai, read.sha256)


def _answer_rows(
    options: BatchOptions, plan: _Plan, engine: AnswerEngine, output: Output, prints: Fingerprints, pace: BatchPace
) -> State:
    """Answer the rows that have no line yet, append each result, and say how it ended. Raises BrokenOff."""
    left = {row.id: row for row in plan.wanted if row.id not in output.rows}

    def are_too_many() -> bool:
        return options.max_errors is not None and pace.counts["error"] > options.max_errors

    with (
        show_pace(sys.stderr, pace) as show,
        notice_interruption() as interrupted,
        contextlib.closing(engine.results(list(left.values()), lambda: interrupted() or are_too_many())) as results,
    ):
        for result in results:
            if result is not None:
                line = result.line(prints.of(left.pop(result.record.id)))
                output.append(openai_form.make_response(result, line, int(time.time())) if plan.openai else line)
                pace.count(result)
            show()
    if left:
        return "interrupted" if interrupted() else "stopped"
    if options.order == "input":
        output.keep([row.id for row in plan.rows if row.id in output.rows])
    return "finished"


def _describe_run(options: BatchOptions, settings: AssistantSettings, plan: _Plan) -> dict[str, Any]:
    return {
        "input": {"path": str(options.source), "sha256": plan.sha256, "rows": len(plan.rows)},
        "output": {"path": str(options.out), "form": "openai" if plan.openai else "rows", "order": options.order},
        "all_settings": asdict(settings),
        "versions": list_versions(),
    }


def _list_parts(prints: Fingerprints) -> dict[str, Any]:
    grounds = {name: asdict(ground) for name, ground in prints.grounds.items()}
    return {"model": prints.model, "settings": prints.settings, "courses": grounds}
