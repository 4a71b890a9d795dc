"""What a judge or a person said of one answer by one criterion, and the lines it is kept in."""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

from pydantic import TypeAdapter

from eval.lines import parse_line, parse_lines
from scribe.records import Record

Verdict = Literal["yes", "no", "unparsed"]

LOCAL = "local"
"""The name of the checks without a model. They never stand for a rubric's judge in a table."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """One judge's verdict on one answer by one criterion.

    answer: the row's id in its answers file. run: the name of that file, or of the model that answered.
    criterion: the rubric's id. judge: the model asked for, `local` for the checks without a model.
    endpoint_model: what the endpoint says that it ran. repeat: 0 and up, each a request of its own.
    verdict: `unparsed` is missing and counted, never a no. seconds: from request to reply.
    fingerprint: hash of material, rubric, judge and repeat.
    of: which text was judged (`digest_answer`), for an answer may be given anew under the same name.
    """

    answer: str
    run: str
    criterion: str
    judge: str
    endpoint_model: str
    repeat: int
    verdict: Verdict
    reasoning: str
    seconds: float
    prompt_tokens: int
    completion_tokens: int
    fingerprint: str
    of: str

    @property
    def value(self) -> bool | None:
        """True for YES, False for NO, None where there is no verdict."""
        return None if self.verdict == "unparsed" else self.verdict == "yes"


@dataclass(frozen=True, slots=True)
class Label:
    """What a person said of one answer by one criterion. of: which text that was, as in `Judgement`."""

    person: str
    answer: str
    criterion: str
    value: bool
    of: str


_JUDGEMENT = TypeAdapter(Judgement)
_LABEL = TypeAdapter(Label)


def digest_answer(record: Record) -> str:
    """16 hexadecimal digits of question, report, earlier exchanges, steps and answer; not of times, tokens or ids."""
    task = record.task
    history, steps = [asdict(each) for each in task.history], [asdict(step) for step in record.steps]
    text = json.dumps([task.question, task.report, history, steps, record.answer], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def to_json(line: Judgement | Label) -> str:
    """One judgement or label as one line of JSON, without the line's end."""
    return json.dumps(asdict(line), ensure_ascii=False)


def parse_judgement(text: str | bytes, where: str) -> Judgement:
    """Read a judgement from its line. Raises RecordError that names `where`."""
    return parse_line(text, _JUDGEMENT, where)


def read_judgements(path: Path) -> Iterator[Judgement]:
    """Read the judgements of a JSON lines file. Raises RecordError that names file and line."""
    return (judgement for _, judgement in parse_lines(path, _JUDGEMENT, "the judgements"))


def read_labels(path: Path) -> Iterator[Label]:
    """Read the labels of a JSON lines file. Raises RecordError that names file and line."""
    return (label for _, label in parse_lines(path, _LABEL, "the labels"))
