"""The runs that a report is on: each an answers file under a name, with the judgements of its answers."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

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
SLACK = 10.0
"""Seconds that copying a folder may take, in which files of one age come to differ."""

Source = tuple[Path, list[Judgement]]
"""A file of judgements, and those in it that are meant."""

Checks = Callable[[Case], Iterable[Judgement]]
"""Judges one answer without asking anybody."""


@dataclass(frozen=True, slots=True)
class Run:
    """name: how it is called in the report. path: its answers file. strays: judgements of answers it does not have.

    older: names of files of judgements that are older than the answers, so that these may be others by now.
    """

    name: str
    path: Path
    answers: tuple[Answered, ...]
    judgements: tuple[Judgement, ...] = ()
    strays: int = 0
    older: tuple[str, ...] = ()

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
    own: dict[str, list[Source]] = {name: [] for name, _ in named}
    shared: list[Source] = []
    for name, path in named:
        for file in beside(path):
            ours, others = naming.apart(list(read_judgements(file)), name, every)
            own[name].append((file, ours))
            shared.append((file, others))
    shared += [(file, list(read_judgements(file))) for file in given.judgements]
    spelt = naming.unambiguous(every)
    runs = tuple(_run(name, path, given, [*own[name], *_of(shared, spelt[name])]) for name, path in named)
    known = frozenset[str]().union(*spelt.values())
    return Loaded(runs, len({_key(each, each.run) for _, found in shared for each in found if each.run not in known}))


def _of(shared: Iterable[Source], spelt: Collection[str]) -> list[Source]:
    return [(file, [each for each in found if each.run in spelt]) for file, found in shared]


def beside(path: Path) -> tuple[Path, ...]:
    """The files of judgements that lie beside an answers file."""
    stem = path.name.removesuffix(".jsonl")
    found = (path.with_name(f"{stem}{ending}") for ending in BESIDE)
    return tuple(each for each in found if each.is_file())


def _run(name: str, path: Path, given: Given, sources: Sequence[Source]) -> Run:
    answers = answered.read(path, given.asked)
    if given.checks:  # an earlier version's would be of another kind
        sources = [(file, [each for each in found if each.judge != LOCAL]) for file, found in sources]
    ours = [each for _, found in sources for each in found]
    once = {_key(each): each for each in (*ours, *_checked(path.stem, answers, given.checks))}
    ids = {row.id for row in answers}
    kept = tuple(each for each in once.values() if each.answer in ids)
    written = path.stat().st_mtime - SLACK
    older = dict.fromkeys(file.name for file, found in sources if found and file.stat().st_mtime < written)
    return Run(name, path, answers, kept, len(once) - len(kept), tuple(older))


def _key(each: Judgement, *more: str) -> tuple[str | int, ...]:
    return (each.answer, each.criterion, each.judge, each.repeat, *more)


def _checked(run: str, answers: Sequence[Answered], checks: Checks | None) -> list[Judgement]:
    cases = [Case(run, row.record) for row in answers if row.record.answer is not None] if checks else []
    return [each for case in cases for each in checks(case)] if checks else []
