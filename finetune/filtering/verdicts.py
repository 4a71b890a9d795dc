"""The check by a judge: kept where every criterion is YES in a file of `scribe judge`."""

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from eval.judge import rubric
from eval.judge.judgement import LOCAL, Judgement, digest_answer, read_judgements
from finetune.filtering.rules import Check, Drop
from finetune.settings import FilterSettings
from scribe.errors import UsageError
from scribe.records import Record

NOT_JUDGED = "not judged"
UNREADABLE = "verdict unreadable"
JUDGED_NO = "judged NO: {criterion}"


def load_verdicts(path: Path, run: str, settings: FilterSettings) -> Check:
    """The check by the verdicts of a file on the trajectories of the file `run`, by its name without the ending.

    Each of a criterion's repeats must be YES; verdicts on a text that has changed since are none, and the checks
    without a model never count as a judge. Raises RecordError naming file and line, UsageError where it is not clear
    which judge's or which run's verdicts are meant, or a criterion is none.
    """
    criteria = tuple(each.id for each in rubric.load(wanted=settings.criteria))
    lines = [each for each in read_judgements(path) if each.judge != LOCAL]
    if not lines:
        raise UsageError(f"{path} holds no verdict of a judge; `scribe judge` writes them, and --local is none")
    verdicts: dict[tuple[str, str, str], set[bool | None]] = defaultdict(set)
    for each in _choose_lines(lines, path, run, settings.judge):
        verdicts[each.answer, each.of, each.criterion].add(each.value)

    def check(record: Record) -> Drop | None:
        text = digest_answer(record)
        found = {criterion: verdicts.get((record.id, text, criterion), set()) for criterion in criteria}
        if missing := [criterion for criterion, values in found.items() if not values]:
            return Drop(NOT_JUDGED, ", ".join(missing))
        if refused := [criterion for criterion, values in found.items() if False in values]:
            return Drop(JUDGED_NO.format(criterion=refused[0]), ", ".join(refused))
        unread = [criterion for criterion, values in found.items() if None in values]
        return Drop(UNREADABLE, ", ".join(unread)) if unread else None

    return check


def _choose_lines(lines: Sequence[Judgement], path: Path, run: str, judge: str) -> list[Judgement]:
    judges, runs = sorted({each.judge for each in lines}), sorted({each.run for each in lines})
    if judge and judge not in judges:
        raise UsageError(f"{path} has no verdict of {judge!r}; it has those of {', '.join(judges)}")
    if not judge and len(judges) > 1:
        raise UsageError(f"{path} has verdicts of {', '.join(judges)}; name one with [filter] judge")
    if len(runs) > 1 and run not in runs:
        raise UsageError(f"{path} is on {', '.join(runs)}, of which none is called {run}; judge these trajectories")
    chosen, whose = run if run in runs else runs[0], judge or judges[0]
    return [each for each in lines if each.run == chosen and each.judge == whose]
