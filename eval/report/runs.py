"""The runs that a report is on: each an answers file under a name, with the judgements of its answers."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from data.bundle import COURSES
from eval.judge.items import JudgeCase
from eval.judge.judgement import LOCAL, Judgement, digest_answer, read_judgements
from eval.judge.rubric import RUBRICS
from eval.tool_use.answers import AnswerRow, Expectation, read_answers
from eval.tool_use.checks import GroundednessCheck
from scribe.errors import UsageError

BETWEEN = "@"
"""`toolace@32` is the family toolace with the setting 32: runs of one family are an ablation."""
BESIDE = (".judgements.jsonl", ".jsonl.judgements.jsonl")
"""What takes the place of an answers file's `.jsonl` in the name of its judgements."""

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
    """name: how it is called in the report. path: its answers file. strays: judgements of answers it does not have.

    stale: judgements left out because their answer was given anew since, and nobody judged it anew.
    """

    name: str
    path: Path
    answers: tuple[AnswerRow, ...]
    judgements: tuple[Judgement, ...] = ()
    strays: int = 0
    stale: int = 0

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
    """The runs in the order given, and how many judgements named a run that is not among them."""

    runs: tuple[EvaluatedRun, ...]
    unclaimed: int


def load_runs(request: ReportRequest) -> LoadedRuns:
    """Read the runs and their judgements. Raises UsageError for a name given twice, RecordError for a broken file."""
    paths = _split_names(request.runs)
    names = {run: _judgement_names(run, path) for run, path in paths.items()}
    own: dict[str, list[Judgement]] = {}
    shared: list[Judgement] = []
    for run, path in paths.items():
        own[run] = []
        for file in find_judgements(path):
            judgements = list(read_judgements(file))
            ours = _names_beside(judgements, run, names)
            own[run] += [each for each in judgements if each.run in ours]
            shared += [each for each in judgements if each.run not in ours]
    shared += [each for file in request.judgements for each in read_judgements(file)]
    # What two runs could be called is given to neither.
    times = Counter(name for each in names.values() for name in each)
    unambiguous = {run: {name for name in each if times[name] == 1} for run, each in names.items()}
    check = GroundednessCheck(request.courses)
    runs = [
        _load_run(run, path, request, check, own[run] + [each for each in shared if each.run in unambiguous[run]])
        for run, path in paths.items()
    ]
    known = set[str]().union(*unambiguous.values())
    return LoadedRuns(tuple(runs), len({(each.run, *_key(each)) for each in shared if each.run not in known}))


def find_judgements(path: Path) -> list[Path]:
    """Find the files of judgements that lie beside an answers file."""
    stem = path.name.removesuffix(".jsonl")
    beside = (path.with_name(f"{stem}{ending}") for ending in BESIDE)
    return [each for each in beside if each.is_file()]


def replace_unprintable(text: str) -> str:
    """Replace control signs and halves of signs, which no file, figure or terminal takes."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)


def _split_names(texts: Sequence[str]) -> dict[str, Path]:
    """`PATH` or `NAME=PATH` apart; a file whose own name holds a = is one of that name."""
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


def _judgement_names(run: str, path: Path) -> set[str]:
    """What judgements may call a run: its name, or its file's in any of the ways that `scribe judge` writes it."""
    names = (run, path.name, path.stem, str(path), str(path.with_suffix("")))
    # `scribe judge` writes what no text can hold as a question mark.
    return {*names, *(each.encode("utf-8", "replace").decode() for each in names)}


def _names_beside(judgements: Sequence[Judgement], run: str, names: Mapping[str, set[str]]) -> set[str]:
    """The names by which this run's judgements go in a file that lies beside its answers.

    One `--out` may hold several runs. Where it holds a single one that nobody else is called by, the answers were
    renamed since.
    """
    named = {each.run for each in judgements}
    others = set[str]().union(*(found for other, found in names.items() if other != run))
    return names[run] if named & names[run] or len(named) > 1 or named & others else named


def _load_run(
    name: str, path: Path, request: ReportRequest, check: GroundednessCheck, judgements: Sequence[Judgement]
) -> EvaluatedRun:
    answers = read_answers(path, request.expectations, check.find_unsupported)
    if request.checks:  # an earlier version's would be of another kind
        cases = [JudgeCase(path.stem, row.record) for row in answers if row.record.answer is not None]
        local = [each for case in cases for each in request.checks(case)]
        judgements = [*(each for each in judgements if each.judge != LOCAL), *local]
    texts = {row.id: digest_answer(row.record) for row in answers}
    # Of another text: it must take no place from what was said of the present one, wherever it stands.
    stale = {_key(each) for each in judgements if each.of != texts.get(each.answer, each.of)}
    once = {_key(each): each for each in judgements if each.of == texts.get(each.answer, each.of)}
    kept = tuple(each for each in once.values() if each.answer in texts)
    return EvaluatedRun(name, path, answers, kept, len(once) - len(kept), len(stale - once.keys()))


def _key(each: Judgement) -> tuple[str, str, str, int]:
    return each.answer, each.criterion, each.judge, each.repeat
