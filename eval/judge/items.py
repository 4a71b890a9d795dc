"""What is to be judged: every answer by every criterion as often as wanted, each with its fingerprint."""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from eval.judge.judgement import digest_answer
from eval.judge.prompt import Messages, collect_material, fence_material, make_messages
from eval.judge.rubric import Rubric
from eval.judge.tool_descriptions import FindToolLines, list_tools
from eval.tool_use.answers import read_answers
from scribe.plumbing.errors import UsageError
from scribe.records import Record

CHARACTERS = 4.0
"""About so many of a prompt make a token."""


@dataclass(frozen=True, slots=True)
class JudgeCase:
    """One answered question of one run."""

    run: str
    record: Record


@dataclass(frozen=True, slots=True)
class JudgeRuns:
    """What was read: the answered questions, and how many rows of each run have no answer to judge."""

    cases: tuple[JudgeCase, ...]
    unanswered: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class JudgeItem:
    """One request to come.

    size: characters. material: fenced, which all requests on the answer share. of: which text it is, as a judgement
    says it.
    """

    case: JudgeCase
    rubric: Rubric
    repeat: int
    fingerprint: str
    size: int
    material: str
    of: str

    @property
    def messages(self) -> Messages:
        """The request's text, made when it is needed: that of ten thousand does not fit in memory."""
        return make_messages(self.material, self.rubric)

    @property
    def prompt_tokens(self) -> float:
        """About how many tokens the request has."""
        return self.size / CHARACTERS


def read_runs(paths: Sequence[Path], limit: int | None = None) -> JudgeRuns:
    """Read the first `limit` rows of each answers file. Raises RecordError or UsageError naming file and line."""
    cases: list[JudgeCase] = []
    unanswered: dict[str, int] = {}
    for path, run in zip(paths, name_runs(paths), strict=True):
        rows = [row.record for row in read_answers(path)][:limit]
        answered = [record for record in rows if record.answer is not None]
        cases += [JudgeCase(run, record) for record in answered]
        unanswered[run] = len(rows) - len(answered)
    return JudgeRuns(tuple(cases), unanswered)


def name_runs(paths: Sequence[Path]) -> list[str]:
    """Name each run by its file without the ending, with the folder where that is not enough. Raises UsageError."""
    if len({path.resolve() for path in paths}) < len(paths):
        raise UsageError("the same file of answers is named twice; name each once")
    stems, longer = [path.stem for path in paths], [str(path.with_suffix("")) for path in paths]
    return [
        stem if stems.count(stem) == 1 else long if longer.count(long) == 1 else str(path)
        for path, stem, long in zip(paths, stems, longer, strict=True)
    ]


def make_items(
    cases: Iterable[JudgeCase],
    rubrics: Sequence[Rubric],
    repeats: int,
    find_tools: FindToolLines,
    identity: Mapping[str, Any],
) -> list[JudgeItem]:
    """Make everything to be judged, answer by answer, so that a server can keep what it has read of one."""
    labels = sorted({rubric.decision for rubric in rubrics})
    items: list[JudgeItem] = []
    for case in cases:
        tools = list_tools(case.record, find_tools(case.record))
        material = fence_material(collect_material(case.record, tools), labels)
        of = digest_answer(case.record)
        for rubric in rubrics:
            messages = make_messages(material, rubric)
            text = json.dumps([messages, dict(identity)], sort_keys=True)
            size = sum(len(message["content"]) for message in messages)
            items += [JudgeItem(case, rubric, n, _fingerprint(text, n), size, material, of) for n in range(repeats)]
    return items


def _fingerprint(text: str, repeat: int) -> str:
    """64 hexadecimal digits for what is asked, of whom, and which repeat it is."""
    return hashlib.sha256(f"{repeat} {text}".encode("utf-8", "replace")).hexdigest()
