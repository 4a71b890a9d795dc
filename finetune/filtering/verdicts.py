"""The check by a judge: kept where every criterion is YES in a file of `scribe judge`."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from eval.judge import rubric
from eval.judge.judgement import LOCAL, Judgement, digest_answer, read_judgements
from finetune.filtering import drop
from finetune.filtering.drop import Drop
from scribe.errors import UsageError
from scribe.records import Record


@dataclass(frozen=True, slots=True)
class Verdicts:
    """What one judge said: its verdict at each repeat, None where it could not be read.

    said: by answer's id, the hash of its text, and criterion; verdicts on a text that has changed since are none.
    """

    said: Mapping[tuple[str, str, str], Sequence[bool | None]]
    criteria: tuple[str, ...]
    repeats: Literal["every", "most"]

    def __call__(self, record: Record) -> Drop | None:
        of = digest_answer(record)
        found = {criterion: self.said.get((record.id, of, criterion), ()) for criterion in self.criteria}
        if missing := [criterion for criterion, verdicts in found.items() if not verdicts]:
            return Drop(drop.NOT_JUDGED, ", ".join(missing))
        refused = [criterion for criterion, verdicts in found.items() if self._good(verdicts) is False]
        if refused:
            return Drop(drop.judged_no(refused[0]), ", ".join(refused))
        unread = [criterion for criterion, verdicts in found.items() if self._good(verdicts) is None]
        return Drop(drop.UNREADABLE, ", ".join(unread)) if unread else None

    def _good(self, verdicts: Sequence[bool | None]) -> bool | None:
        """Whether they say YES; None where that cannot be known. With `every`, one NO is enough."""
        read = [verdict for verdict in verdicts if verdict is not None]
        if self.repeats == "most":
            return 2 * sum(read) > len(read) if read else None
        return False if False in read else None if len(read) < len(verdicts) else True


def load(
    path: Path, run: str, judge: str = "", criteria: Sequence[str] = (), repeats: Literal["every", "most"] = "every"
) -> Verdicts:
    """The verdicts of a file on the trajectories of the file `run`, by its name without the ending.

    The checks without a model never count as a judge. Raises RecordError naming file and line, UsageError where it is
    not clear which judge's or which run's verdicts are meant, or a criterion is none.
    """
    wanted = tuple(each.id for each in rubric.load(wanted=criteria))
    lines = [each for each in read_judgements(path) if each.judge != LOCAL]
    if not lines:
        raise UsageError(f"{path} holds no verdict of a judge; `scribe judge` writes them, and --local is none")
    lines = _only(lines, path, run, judge)
    said: dict[tuple[str, str, str], list[bool | None]] = defaultdict(list)
    for each in lines:
        said[each.answer, each.of, each.criterion].append(each.value)
    return Verdicts(said, wanted, repeats)


def _only(lines: Sequence[Judgement], path: Path, run: str, judge: str) -> list[Judgement]:
    judges, runs = _names(each.judge for each in lines), _names(each.run for each in lines)
    if judge and judge not in judges:
        raise UsageError(f"{path} has no verdict of {judge!r}; it has those of {', '.join(judges)}")
    if not judge and len(judges) > 1:
        raise UsageError(f"{path} has verdicts of {', '.join(judges)}; name one with [filter] judge")
    if len(runs) > 1 and run not in runs:
        raise UsageError(f"{path} is on {', '.join(runs)}, of which none is called {run}; judge these trajectories")
    chosen, whose = run if run in runs else runs[0], judge or judges[0]
    return [each for each in lines if each.run == chosen and each.judge == whose]


def _names(found: Iterable[str]) -> list[str]:
    return sorted(set(found))
