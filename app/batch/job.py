"""One `scribe answer` from its files to what became of them; an engine is given, and how it works is its own affair."""

import argparse
import contextlib
import sys
import time
from collections import Counter
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Protocol

from app.batch import openai_form
from app.batch.fingerprints import Fingerprints, Grounds, fingerprint_course, make_fingerprints, refuse_other_rows
from app.batch.output import BrokenOff, Output, State, read_earlier, write_batch_manifest
from app.batch.result import RowResult
from app.batch.rows import Problems, QuestionRow, check_rows
from app.batch.sheet import read_sheet
from data.course import Course
from scribe.plumbing.errors import BackendError, UsageError
from scribe.plumbing.manifest import format_now, list_versions, manifest_path
from scribe.plumbing.progress import show_progress
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


StartEngine = Callable[[Mapping[str, Course], Grounds, int], AnswerEngine]
"""Makes an engine for these courses and as many rows; raises BackendError or UsageError."""


@dataclass(slots=True)
class BatchOutcome:
    """How a run ended: rows by status, of those that were wanted.

    answered: rows that it did itself; failed: those of them that ended in an error, and why the first one did so.
    """

    wanted: int
    state: State = "stopped"
    counts: Mapping[str, int] = field(default_factory=dict)
    answered: int = 0
    failed: int = 0
    trouble: str = ""

    def count(self, result: RowResult) -> None:
        self.answered += 1
        self.failed += result.error is not None
        if result.error and not self.trouble:
            self.trouble = f"{result.record.id}: {result.error['type']}: {result.error['message']}"


@dataclass(frozen=True, slots=True)
class _Plan:
    """A checked input: its rows, those that this run is about, the form of the answers, and the input's hash."""

    rows: Sequence[QuestionRow]
    wanted: Sequence[QuestionRow]
    courses: Mapping[str, Course]
    openai: bool
    sha256: str


def run_batch(options: argparse.Namespace, settings: AssistantSettings, start: StartEngine) -> BatchOutcome:
    """Answer what is not answered yet. options: the arguments of `scribe answer`.

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
            return _BatchJob(options, settings, plan, engine, output, prints).run(earlier.get("runs", []))


def _read_plan(options: argparse.Namespace, settings: AssistantSettings) -> _Plan:
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


@dataclass(frozen=True, slots=True)
class _BatchJob:
    """A run that has begun to write."""

    options: argparse.Namespace
    settings: AssistantSettings
    plan: _Plan
    engine: AnswerEngine
    output: Output
    prints: Fingerprints

    def run(self, earlier: Sequence[dict[str, Any]]) -> BatchOutcome:
        """Answer what is left, with the manifest right at each end. earlier: runs. Raises BrokenOff."""
        plan, output, head = self.plan, self.output, self._describe()
        how = {"command": " ".join(sys.argv), "engine": self.options.engine, "parallel": self.settings.model.parallel}
        begun = how | {"started": format_now(), "ended": None, "seconds": 0.0, "answered": 0, "state": "running"}
        runs = [*earlier, begun]
        write_batch_manifest(output, head, runs, len(plan.rows))
        outcome, since = BatchOutcome(len(plan.wanted)), time.monotonic()
        try:
            outcome.state = self._answer_rows(outcome)
        except KeyboardInterrupt:
            outcome.state = "interrupted"
            raise
        except BackendError as error:
            raise BrokenOff(f"{error}; what is answered is in {output.path}") from error
        finally:
            begun |= {"ended": format_now(), "seconds": round(time.monotonic() - since, 3)}
            begun |= {"answered": outcome.answered, "state": outcome.state}
            # Of two errors the first is the one to hear.
            with contextlib.suppress(BrokenOff) if sys.exc_info()[0] else contextlib.nullcontext():
                write_batch_manifest(output, head, runs, len(plan.rows))
        outcome.counts = Counter(output.rows[row.id].status for row in plan.wanted if row.id in output.rows)
        return outcome

    def _answer_rows(self, so_far: BatchOutcome) -> State:
        """Answer the rows that have no line yet, append each result, and say how it ended."""
        output, plan, most = self.output, self.plan, self.options.max_errors
        left = {row.id: row for row in plan.wanted if row.id not in output.rows}

        def are_too_many() -> bool:
            return most is not None and so_far.failed > most

        with (
            show_progress() as on_progress,
            notice_interruption() as stop,
            contextlib.closing(self.engine.results(list(left.values()), lambda: stop() or are_too_many())) as results,
        ):
            for result in results:
                if result is not None:
                    line = result.line(self.prints.of(left.pop(result.record.id)))
                    output.append(openai_form.make_response(result, line, int(time.time())) if plan.openai else line)
                    so_far.count(result)
                label = f"answering, {so_far.failed} failed" if so_far.failed else "answering"
                on_progress(label, len(plan.wanted) - len(left), len(plan.wanted))
        output.require_in_place()
        if left:
            return "interrupted" if stop() else "stopped"
        if self.options.order == "input":
            output.keep([row.id for row in plan.rows if row.id in output.rows])
        return "finished"

    def _describe(self) -> dict[str, Any]:
        options, plan, prints = self.options, self.plan, self.prints
        names = [each.name for each in fields(AssistantSettings)]  # not what is set of the chat: that names secrets
        return {
            "input": {"path": str(options.source), "sha256": plan.sha256, "rows": len(plan.rows)},
            "output": {"path": str(options.out), "form": "openai" if plan.openai else "rows", "order": options.order},
            "settings": prints.counting,
            "all_settings": {name: asdict(getattr(self.settings, name)) for name in names},
            "versions": list_versions(),
            "model": dict(self.engine.info),
            "fingerprint": {"model": prints.model, "settings": prints.settings, "courses": dict(prints.grounds)},
        }
