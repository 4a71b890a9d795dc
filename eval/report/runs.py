"""The runs that a report is on: each an answers file under a name, with the judgements of its answers."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from eval.judge.digest import digest
from eval.judge.judgement import LOCAL, Judgement, read_judgements
from eval.judge.work import Case
from eval.report import naming
from eval.tool_use import answered
from eval.tool_use.answered import Answered
from eval.tool_use.asked import Asked

BETWEEN = "@"
"""`toolace@32` is the family toolace with the setting 32: runs of one family are an ablation."""
BESIDE = (".judgements.jsonl", ".jsonl.judgements.jsonl")
"""What takes the place of an answers file's `.jsonl` in the name of its judgements."""

Checks = Callable[[Case], Iterable[Judgement]]
"""Judges one answer without asking anybody."""


@dataclass(frozen=True, slots=True)
class Run:
    """name: how it is called in the report. path: its answers file. strays: judgements of answers it does not have.

    stale: judgements left out because their answer was given anew since, and nobody judged it anew.
    """

    name: str
    path: Path
    answers: tuple[Answered, ...]
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
        said = {" ".join(str(part) for part in row.record.model.values() if part) for row in self.answers}
        return naming.plain(", ".join(sorted(said - {""}))) or "not said"

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
    named = naming.named(given.runs)
    every = naming.spellings(named)
    own: dict[str, list[Judgement]] = {}
    shared: list[Judgement] = []
    for name, path in named:
        own[name] = []
        for file in beside(path):
            ours, others = naming.apart(list(read_judgements(file)), name, every)
            own[name] += ours
            shared += others
    shared += [each for file in given.judgements for each in read_judgements(file)]
    spelt = naming.unambiguous(every)
    runs = tuple(
        _run(name, path, given, [*own[name], *(each for each in shared if each.run in spelt[name])])
        for name, path in named
    )
    known = frozenset[str]().union(*spelt.values())
    return Loaded(runs, len({_key(each, each.run) for each in shared if each.run not in known}))


def beside(path: Path) -> tuple[Path, ...]:
    """The files of judgements that lie beside an answers file."""
    stem = path.name.removesuffix(".jsonl")
    found = (path.with_name(f"{stem}{ending}") for ending in BESIDE)
    return tuple(each for each in found if each.is_file())


def _run(name: str, path: Path, given: Given, found: Sequence[Judgement]) -> Run:
    answers = answered.read(path, given.asked)
    if given.checks:  # an earlier version's would be of another kind
        found = [each for each in found if each.judge != LOCAL]
    texts = {row.id: digest(row.record) for row in answers}
    ours = [*found, *_checked(path.stem, answers, given.checks)]
    # Of another text: it must take no place from what was said of the present one, wherever it stands.
    stale = {_key(each) for each in ours if each.of != texts.get(each.answer, each.of)}
    once = {_key(each): each for each in ours if each.of == texts.get(each.answer, each.of)}
    kept = tuple(each for each in once.values() if each.answer in texts)
    return Run(name, path, answers, kept, len(once) - len(kept), len(stale - once.keys()))


def _key(each: Judgement, *more: str) -> tuple[str | int, ...]:
    return (each.answer, each.criterion, each.judge, each.repeat, *more)


def _checked(run: str, answers: Sequence[Answered], checks: Checks | None) -> list[Judgement]:
    cases = [Case(run, row.record) for row in answers if row.record.answer is not None] if checks else []
    return [each for case in cases for each in checks(case)] if checks else []
