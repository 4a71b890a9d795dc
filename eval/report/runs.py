"""The runs that a report is on: each an answers file under a name, with the judgements of its answers."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from eval.judge.judgement import LOCAL, Judgement, read_judgements
from eval.judge.work import Case
from eval.tool_use import answered
from eval.tool_use.answered import Answered
from eval.tool_use.asked import Asked
from scribe.errors import UsageError

BETWEEN = "@"
"""`toolace@32` is the family toolace with the setting 32: runs of one family are an ablation."""
BESIDE = (".judgements.jsonl", ".jsonl.judgements.jsonl")
"""What takes the place of an answers file's `.jsonl` in the name of its judgements."""

Checks = Callable[[Case], Iterable[Judgement]]
"""Judges one answer without asking anybody."""


@dataclass(frozen=True, slots=True)
class Run:
    """name: how it is called in the report. path: its answers file. strays: judgements of answers it does not have."""

    name: str
    path: Path
    answers: tuple[Answered, ...]
    judgements: tuple[Judgement, ...] = ()
    strays: int = 0

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
        said = {" ".join(str(part) for part in row.record.model.values() if part) for row in self.answers}
        return ", ".join(sorted(said - {""})) or "not said"

    @property
    def judges(self) -> tuple[str, ...]:
        """The judges that have a verdict on it."""
        return tuple(sorted({each.judge for each in self.judgements}))


@dataclass(frozen=True, slots=True)
class Given:
    """What was asked for. runs: `PATH` or `NAME=PATH`. judgements: files of any of the runs, beside those found.

    checks: what else judges each answer, here and now; nothing if there is no such thing.
    """

    runs: Sequence[str]
    judgements: Sequence[Path] = ()
    asked: Mapping[str, Asked] = field(default_factory=dict)
    checks: Checks | None = None


@dataclass(frozen=True, slots=True)
class Loaded:
    """The runs in the order given, and how many judgements named a run that is not among them."""

    runs: tuple[Run, ...]
    unclaimed: int


def load(given: Given) -> Loaded:
    """The runs with their judgements. Raises UsageError for a name given twice, RecordError for an unreadable file."""
    named = [_named(text) for text in given.runs]
    names = [name for name, _ in named]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise UsageError(f"two runs are called {twice!r}; write NAME=FILE to give each a name of its own")
    shared = [each for path in given.judgements for each in read_judgements(path)]
    spelt = _spellings(named)
    runs = tuple(_run(name, path, given, [each for each in shared if each.run in spelt[name]]) for name, path in named)
    known = frozenset[str]().union(*spelt.values())
    return Loaded(runs, sum(each.run not in known for each in shared))


def beside(path: Path) -> tuple[Path, ...]:
    """The files of judgements that lie beside an answers file."""
    stem = path.name.removesuffix(".jsonl")
    found = (path.with_name(f"{stem}{ending}") for ending in BESIDE)
    return tuple(each for each in found if each.is_file())


def _named(text: str) -> tuple[str, Path]:
    """`NAME=PATH` apart; a file whose own name holds a = is one of that name."""
    name, equals, path = text.partition("=")
    if not equals or Path(text).exists():
        return Path(text).stem, Path(text)
    return name, Path(path)


def _run(name: str, path: Path, given: Given, shared: Sequence[Judgement]) -> Run:
    answers = answered.read(path, given.asked)
    ours = [each for file in beside(path) for each in read_judgements(file)]
    ours += shared
    if given.checks:  # an earlier version's would be of another kind
        ours = [each for each in ours if each.judge != LOCAL]
    ours += _checked(path.stem, answers, given.checks)
    once = {(each.answer, each.criterion, each.judge, each.repeat): each for each in ours}
    ids = {row.id for row in answers}
    kept = tuple(each for each in once.values() if each.answer in ids)
    return Run(name, path, answers, kept, len(once) - len(kept))


def _checked(run: str, answers: Sequence[Answered], checks: Checks | None) -> list[Judgement]:
    cases = [Case(run, row.record) for row in answers if row.record.answer is not None] if checks else []
    return [each for case in cases for each in checks(case)] if checks else []


def _spellings(named: Sequence[tuple[str, Path]]) -> dict[str, frozenset[str]]:
    """Name → what judgements may call this run; never what two of the files would be called."""
    found = {name: {name, path.name, path.stem, str(path), str(path.with_suffix(""))} for name, path in named}
    times = Counter(spelling for spellings in found.values() for spelling in spellings)
    return {name: frozenset(each for each in spellings if times[each] == 1) for name, spellings in found.items()}
