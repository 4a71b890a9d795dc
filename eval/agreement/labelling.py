"""What people label: answers to the same questions of every run, each by criteria that are met or not."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from eval.agreement.marking import Marking, MarkRequest, MarksFile
from eval.agreement.ratings import name_answer
from eval.judge.items import name_runs
from eval.judge.judgement import Label, digest_answer
from eval.judge.rubric import Rubric
from eval.tool_use.answers import read_answers
from scribe.plumbing.errors import UsageError
from scribe.records import Record


@dataclass(frozen=True, slots=True)
class LabelItem:
    """One answer to label. name: as labels name it; whoever labels must not see it, for it tells the run.

    of: which text it is, as a label says it.
    """

    name: str
    record: Record
    of: str


LabelRequest = MarkRequest[LabelItem, Rubric, bool]


def draw_sample(answers: Sequence[Path], questions: int | None = None, seed: int = 0) -> list[LabelItem]:
    """Draw the answers to `questions` questions (all unless given) that every file has.

    Runs are named as `scribe judge` names them. Raises UsageError for files that share no id, or RecordError.
    """
    runs = {run: _read_answered(path) for run, path in zip(name_runs(answers), answers, strict=True)}
    shared = sorted(set.intersection(*(set(rows) for rows in runs.values())))
    if not shared:
        raise UsageError("no question is answered in every file; give files that answer the same questions")
    if questions is not None and questions < len(shared):
        shared = sorted(random.Random(seed).sample(shared, questions))
    return [
        LabelItem(name_answer(run, id), rows[id], digest_answer(rows[id]))
        for run, rows in runs.items()
        for id in shared
    ]


class LabelsFile(MarksFile[bool]):
    """One person's labels in a folder. Raises UsageError for a name that cannot be a file's, or RecordError."""

    def __init__(self, folder: Path, person: str) -> None:
        super().__init__(folder, person, Label)


class Labelling(Marking[LabelItem, Rubric, bool]):
    """A person's labels of these answers by these criteria. Raises UsageError or RecordError."""

    def __init__(self, items: Sequence[LabelItem], rubrics: Sequence[Rubric], folder: Path, person: str) -> None:
        super().__init__(items, rubrics, LabelsFile(folder, person))


def _read_answered(path: Path) -> dict[str, Record]:
    """By id. A row that failed has nothing to label."""
    found = {row.id: row.record for row in read_answers(path) if row.record.answer is not None}
    if not found:
        raise UsageError(f"{path} holds no answer; give a file that `scribe answer` wrote")
    return found
