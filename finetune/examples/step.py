"""The step from a file of trajectories to rows of ids and parts."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cache, partial
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from data.bundle import COURSES
from finetune.classroom import list_tools, load_course
from finetune.conversations.dataset import FRESH, WORDINGS, QuestionWording, read_trajectories, read_wordings
from finetune.examples.rows import FIRST, LATER, QUOTED, TokenRow, make_row, write_rows
from finetune.settings import ExampleSettings, courses_folder
from finetune.step import PipelineStep, StepResult
from scribe.backends.hf import chat_tokenizer
from scribe.decoding.chat import ChatTokenizer
from scribe.plumbing.errors import UsageError
from scribe.plumbing.progress import OnProgress
from scribe.trajectory import Task
from tools.conversation import describe_course

STEP = "examples"
TOKENIZER = "tokenizer.json"
UNDER_A_REPORT = 16
"""Questions in other words that are put under one report."""

ListTools = Callable[[str], str]
"""From a course's id to its tools as the prompt lists them."""


def make_step(settings: ExampleSettings, trajectories: Path, base: Path, out: Path) -> PipelineStep:
    """The step that writes the rows of all trajectories to `out`, a parquet file, in their order.

    base: a model folder, of which the tokenizer counts. It takes seconds, so a killed run begins anew. Raises
    RecordError naming file and line, ModelFileError for a tokenizer without a chat format that is known, and UsageError
    if no row is left.
    """
    inputs = {"trajectories": trajectories, "tokenizer": base / TOKENIZER}
    if settings.wordings:
        inputs |= {"wordings": WORDINGS, "fresh": FRESH}
    return PipelineStep(STEP, STEP, out, inputs, settings, partial(_make, settings, trajectories, base, out))


def _make(settings: ExampleSettings, trajectories: Path, base: Path, out: Path, on_progress: OnProgress) -> StepResult:
    chat, folder = chat_tokenizer(base), courses_folder(settings.courses)
    tools: ListTools = (lambda course: "") if settings.by_heart else partial(list_tools, folder=folder)
    rows: list[TokenRow] = []
    dropped: Counter[str] = Counter()
    found = read_trajectories(trajectories)
    for number, record in enumerate(found, start=1):
        made = make_row(record.id, record.trajectory, tools(record.task.course), chat, settings.max_length)
        if isinstance(made, TokenRow):
            rows.append(made)
        else:
            dropped[made] += 1
        on_progress(STEP, number, len(found))
    if not rows:
        raise UsageError(f"{trajectories} gives no row to train on: {dict(dropped) or 'it is empty'}")
    if settings.wordings:
        both = chain(read_wordings(WORDINGS), read_wordings(FRESH))
        tasks = [record.task for record in found]
        rows += make_first_turns(both, tools, chat, settings.max_length, folder, tasks)
    write_rows(out, rows)
    return StepResult(_count(rows) | {"dropped": dict(dropped)})


def make_first_turns(
    wordings: Iterable[QuestionWording],
    tools: ListTools,
    chat: ChatTokenizer,
    max_length: int,
    folder: Path = COURSES,
    tasks: Sequence[Task] = (),
) -> list[TokenRow]:
    """The rows of question, reasoning and call, without what would follow; longer ones are left out.

    tasks: whose reports the questions are put under, as a model meets them; those of the question's course and
    language in turn, `UNDER_A_REPORT` questions each, so that their rows share it.
    """
    describe = cache(lambda course: describe_course(load_course(course, folder)))
    reports: dict[tuple[str, str], dict[str, None]] = defaultdict(dict)
    for task in tasks:
        reports[task.course, task.language][task.report] = None
    asked: Counter[tuple[str, str]] = Counter()
    rows = []
    for each in wordings:
        place = (each.course, each.language)
        own = list(reports.get(place, [""]))
        report = own[asked[place] // UNDER_A_REPORT % len(own)]
        asked[place] += 1
        row = make_row(each.id, each.as_trajectory(describe(each.course), report), tools(each.course), chat, max_length)
        if isinstance(row, TokenRow):
            end = int(np.flatnonzero(np.isin(row.parts, (FIRST, FIRST | QUOTED)))[-1]) + 1
            rows.append(replace(row, ids=row.ids[:end], parts=row.parts[:end]))
    return rows


def _count(rows: Sequence[TokenRow]) -> dict[str, Any]:
    """How many rows, ids and labels of each stage there are, and the longest row."""
    parts = np.concatenate([row.parts for row in rows])
    return {
        "rows": len(rows),
        "ids": len(parts),
        "labels_first": int(np.isin(parts, (FIRST, FIRST | QUOTED)).sum()),
        "labels_later": int(np.isin(parts, (LATER, LATER | QUOTED)).sum()),
        "longest": max(len(row.ids) for row in rows),
    }
