"""What a judge or a person said of one answer by one criterion, and the files it is kept in."""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal, TypeVar

from pydantic import TypeAdapter

from scribe.errors import RecordError

Verdict = Literal["yes", "no", "unparsed"]

LOCAL = "local"
"""The name of the checks without a model. They never stand for a rubric's judge in a table."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Judgement:
    """One judge's verdict on one answer by one criterion.

    answer: the row's id in its answers file. run: the name of that file, or of the model that answered. criterion:
    the rubric's id. judge: the model asked for, `local` for the checks without a model; endpoint_model: what the
    endpoint says that it ran. repeat: 0 and up, each a request of its own. verdict: `unparsed` is missing and counted,
    never a no. seconds: from request to reply. fingerprint: hash of material, rubric, judge and repeat. of: which text
    was judged (`eval.judge.digest`), for an answer may be given anew under the same name.
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


def to_json(line: Judgement | Label) -> str:
    """One judgement or label as one line of JSON, without the line's end."""
    return json.dumps(asdict(line), ensure_ascii=False)


def judgement(text: str | bytes, where: str = "judgement") -> Judgement:
    """A judgement from its line. Raises RecordError that names `where`."""
    return _line(text, _JUDGEMENT, where)


def read_judgements(path: Path) -> Iterator[Judgement]:
    """The judgements of a JSON lines file. Raises RecordError that names file and line."""
    return _lines(path, _JUDGEMENT)


def read_labels(path: Path) -> Iterator[Label]:
    """The labels of a JSON lines file. Raises RecordError that names file and line."""
    return _lines(path, _LABEL)


def _lines(path: Path, adapter: TypeAdapter[T]) -> Iterator[T]:
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, start=1):
                if line.strip():
                    yield _line(line, adapter, f"{path}:{number}")
    except OSError as error:
        raise RecordError(f"{path} cannot be read: {error.strerror}") from error


def _line(text: str | bytes, adapter: TypeAdapter[T], where: str) -> T:
    try:
        return adapter.validate_python(json.loads(text))
    except (ValueError, RecursionError) as error:  # of JSON, UTF-8 or the fields' types
        first = " ".join(str(error).split())[:200]
        raise RecordError(f"{where}: not a line that `scribe judge` or `scribe agree label` wrote: {first}") from error
