"""The answers that a reader should look at first: most criteria failed, then those that never came."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from eval.judge.judgement import Judgement
from eval.report import verdicts
from eval.report.runs import Run
from eval.tool_use.answered import Answered


@dataclass(frozen=True, slots=True)
class Worst:
    """An answer of a run. failed: criteria with a NO from the judge. said: criterion → a judgement that says so."""

    run: Run
    row: Answered
    failed: tuple[str, ...]
    said: Mapping[str, Judgement]


def judged(run: Run, judge: str, most: int) -> tuple[Worst, ...]:
    """The answers with most NO; those without any are not among them. Even ones stay in the file's order."""
    rows = {row.id: row for row in run.answers}
    names = verdicts.criteria((run,), judge)
    settled = {name: verdicts.of(run, judge, name).settled for name in names}
    failed = {id: tuple(name for name in names if settled[name].get(id) is False) for id in rows}
    order = sorted((id for id in rows if failed[id]), key=lambda id: -len(failed[id]))
    return tuple(Worst(run, rows[id], failed[id], _said(run, judge, id, failed[id])) for id in order[:most])


def unanswered(run: Run, most: int) -> tuple[Answered, ...]:
    """Questions without an answer, those that we or the world failed at first."""
    without = [row for row in run.answers if row.record.answer is None]
    return tuple(sorted(without, key=lambda row: not row.failed)[:most])


def _said(run: Run, judge: str, id: str, failed: Sequence[str]) -> dict[str, Judgement]:
    """The first repeat that says NO speaks for the others."""
    found: dict[str, Judgement] = {}
    for each in sorted(run.judgements, key=lambda each: each.repeat):
        ours = each.judge == judge and each.answer == id and each.criterion in failed
        if ours and each.value is False:
            found.setdefault(each.criterion, each)
    return found
