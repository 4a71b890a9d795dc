"""The runs that a report is on: each an answers file under a name, with the judgements of its answers.

A judgement says of which text it is, so it is given to every run that has this text, whatever its file is called.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from data.bundle import COURSES
from eval.judge.items import JudgeCase, name_runs
from eval.judge.judgement import LOCAL, Judgement, digest_answer, read_judgements
from eval.judge.rubric import RUBRICS
from eval.tool_use.answers import AnswerRow, Expectation, read_answers
from eval.tool_use.checks import GroundednessCheck
from scribe.plumbing.errors import UsageError

BETWEEN = "@"
"""`toolace@32` is the family toolace with the setting 32: runs of one family are an ablation."""
JudgeLocally = Callable[[JudgeCase], Iterable[Judgement]]
"""Judges one answer without asking anybody."""


@dataclass(frozen=True, slots=True)
class ReportRequest:
    """What to report on.

    runs: `PATH` or `NAME=PATH`. judgements: files of any of the runs, beside those found.
    expectations: of the questions, by id. checks: what else judges each answer, here and now.
    unseen: courses that a model was not trained on. compare: names of runs, in pairs; none chooses.
    labels: files or folders. worst: answers to show of each run, 0 for none. courses: the bundles' folder.
    rubrics: where the criteria are defined.
    """

    runs: Sequence[str]
    judgements: Sequence[Path] = ()
    expectations: Mapping[str, Expectation] = field(default_factory=dict)
    checks: JudgeLocally | None = None
    unseen: Sequence[str] = ()
    compare: Sequence[tuple[str, str]] = ()
    labels: Sequence[Path] = ()
    worst: int = 10
    courses: Path = COURSES
    rubrics: Path = RUBRICS


@dataclass(frozen=True, slots=True)
class EvaluatedRun:
    """name: how it is called in the report. path: its answers file.

    judgements: of its answers as they are; their `run` is how labels call it.
    """

    name: str
    path: Path
    answers: tuple[AnswerRow, ...]
    judgements: tuple[Judgement, ...] = ()

    @property
    def family(self) -> str:
        """What comes before the @ of its name; the name itself if there is none."""
        return self.name.partition(BETWEEN)[0]

    @property
    def setting(self) -> str:
        """What comes after the @ of its name."""
        return self.name.partition(BETWEEN)[2]

    @property
    def model(self) -> str:
        """What answered, as the records say it; several models are joined by commas."""
        models = {" ".join(str(part) for part in row.record.model.values() if part) for row in self.answers}
        return replace_unprintable(", ".join(sorted(models - {""}))) or "not said"

    @property
    def judges(self) -> tuple[str, ...]:
        """The judges that have a verdict on it."""
        return tuple(sorted({each.judge for each in self.judgements}))

    @property
    def questions(self) -> frozenset[tuple[str, str, str, str]]:
        """What was asked: id, course, student, question. The same id alone may be another question."""
        return frozenset(
            (row.id, row.course, row.record.task.student, row.record.task.question) for row in self.answers
        )


@dataclass(frozen=True, slots=True)
class LoadedRuns:
    """The runs in the order given, and how many judgements are of none of their answers as they are."""

    runs: tuple[EvaluatedRun, ...]
    unmatched: int


def load_runs(request: ReportRequest) -> LoadedRuns:
    """Read the runs and their judgements. Raises UsageError for a name given twice, RecordError for a broken file."""
    paths = name_paths(request.runs)
    beside = [path.with_name(f"{path.name.removesuffix('.jsonl')}.judgements.jsonl") for path in paths.values()]
    files = [*(file for file in beside if file.is_file()), *request.judgements]
    by_text: dict[tuple[str, str], list[Judgement]] = defaultdict(list)
    for each in (each for file in dict.fromkeys(files) for each in read_judgements(file)):
        by_text[each.answer, each.of].append(each)
    check = GroundednessCheck(request.courses)
    runs: list[EvaluatedRun] = []
    matched: set[tuple[str, str]] = set()
    for (name, path), called in zip(paths.items(), name_runs(list(paths.values())), strict=True):
        answers = read_answers(path, request.expectations, check.find_unsupported)
        texts = [(row.id, digest_answer(row.record)) for row in answers]
        matched.update(texts)
        judgements = [each for text in texts for each in by_text.get(text, ())]
        if request.checks:  # an earlier version's would be of another kind
            cases = [JudgeCase(called, row.record) for row in answers if row.record.answer is not None]
            local = [each for case in cases for each in request.checks(case)]
            judgements = [*(each for each in judgements if each.judge != LOCAL), *local]
        once = {(each.answer, each.criterion, each.judge, each.repeat): each for each in judgements}
        runs.append(EvaluatedRun(name, path, answers, tuple(replace(each, run=called) for each in once.values())))
    return LoadedRuns(tuple(runs), sum(len(found) for text, found in by_text.items() if text not in matched))


def replace_unprintable(text: str) -> str:
    """Replace control signs and halves of signs, which no file, figure or terminal takes."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)


def name_paths(texts: Sequence[str]) -> dict[str, Path]:
    """`PATH` or `NAME=PATH` apart; a file whose own name holds a = is one of that name. Raises UsageError."""
    found: dict[str, Path] = {}
    for text in texts:
        name, equals, path = text.partition("=")
        is_file = not equals or Path(text).exists()
        name, path = (Path(text).stem, text) if is_file else (name, path)
        name = replace_unprintable(name)
        if name in found:
            raise UsageError(f"two runs are called {name!r}; write NAME=FILE to give each a name of its own")
        if not name.strip():
            raise UsageError("a run has no name; write NAME=FILE, or the file alone")
        found[name] = Path(path)
    return found
