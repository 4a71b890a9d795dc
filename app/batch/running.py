"""One run from the first open row to the last: results are written as they come, by one thread."""

import contextlib
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from app.batch import openai_form
from app.batch.fingerprints import Fingerprints
from app.batch.manifest import State
from app.batch.output import Output
from app.batch.pace import BatchPace
from app.batch.result import RowResult
from app.batch.rows import QuestionRow
from scribe.plumbing.signals import notice_interruption


class AnswerEngine(Protocol):
    """Whatever answers rows, here or elsewhere."""

    @property
    def info(self) -> Mapping[str, str]:
        """What identifies the model."""
        ...

    def results(
        self, rows: Sequence[QuestionRow], stopped: Callable[[], bool]
    ) -> Generator[RowResult | None, None, None]:
        """One result for each row in any order; None while there is none, so that others have their turn."""
        ...

    def close(self) -> None:
        """Let go of threads, processes and machines."""
        ...


@dataclass(frozen=True, slots=True)
class ResultWriter:
    """Where results go and in which form."""

    output: Output
    fingerprints: Fingerprints
    openai: bool

    def write(self, row: QuestionRow, result: RowResult) -> None:
        """Append the row's line. Raises BrokenOff."""
        line = result.line(self.fingerprints.of(row))
        self.output.append(openai_form.make_response(result, line, int(time.time())) if self.openai else line)


def carry_out(
    engine: AnswerEngine,
    rows: Sequence[QuestionRow],
    writing: ResultWriter,
    pace: BatchPace,
    show: Callable[[BatchPace], None],
    max_errors: int | None,
) -> State:
    """Answer the rows and say how it ended. More than `max_errors` failed rows stop it. Raises BrokenOff."""
    by_id = {row.id: row for row in rows}

    def too_many() -> bool:
        return max_errors is not None and pace.error > max_errors

    with (
        notice_interruption() as interrupted,
        contextlib.closing(engine.results(rows, lambda: interrupted() or too_many())) as results,
    ):
        for result in results:
            if result is not None:
                writing.write(by_id.pop(result.record.id), result)
                pace.count(result)
            show(pace)
    if not by_id:
        return "finished"
    return "interrupted" if interrupted() else "stopped"
