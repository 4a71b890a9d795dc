"""Everything that a report shows, worked out once: the page, the CSV files and the PNG files are made of it."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeVar

from data.bundle import COURSES
from eval.judge.judgement import LOCAL
from eval.judge.rubric import RUBRICS, Rubric
from eval.judge.rubric import load as load_rubrics
from eval.report import ablation, charts, judged, kappas, trusted, verdicts, worst
from eval.report.charts import Chart
from eval.report.missing import missing
from eval.report.runs import Given, Loaded, Run, load
from eval.report.scope import scopes
from eval.report.worst import Worst
from eval.table import Table
from eval.tool_use import tables
from eval.tool_use.answered import Answered
from eval.tool_use.grounded import Grounded
from eval.tool_use.usage import Check
from scribe.errors import UsageError

T = TypeVar("T", Chart, Table)
"""What becomes a file under its id."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What to report on. unseen: courses that a model was not trained on. compare: names of runs, in pairs; none
    chooses. labels: files or folders. worst: answers to show of each run, 0 for none. courses: the bundles' folder.
    rubrics: where the criteria are defined.
    """

    given: Given
    unseen: Sequence[str] = ()
    compare: Sequence[tuple[str, str]] = ()
    labels: Sequence[Path] = ()
    worst: int = 10
    courses: Path = COURSES
    rubrics: Path = RUBRICS


@dataclass(frozen=True, slots=True)
class OfJudge:
    """One judge's part. local: whether it is the checks without a model, which are shown apart."""

    judge: str
    local: bool
    charts: tuple[Chart, ...]
    tables: tuple[Table, ...]
    worst: tuple[tuple[Run, tuple[Worst, ...]], ...]


@dataclass(frozen=True, slots=True)
class Results:
    """A whole report. unanswered: of each run, questions that got no answer.

    criteria: what each means that a judge went by; None where no rubric says it.
    """

    loaded: Loaded
    about: Table
    missing: tuple[str, ...]
    judges: tuple[OfJudge, ...]
    agreement: Table | None
    kappas: Chart | None
    tool_tables: tuple[Table, ...]
    tool_chart: Chart
    unanswered: tuple[tuple[Run, tuple[Answered, ...]], ...] = field(default=())
    criteria: Mapping[str, Rubric | None] = field(default_factory=dict)

    @property
    def tables(self) -> tuple[Table, ...]:
        """All tables."""
        agreement = (self.agreement,) if self.agreement else ()
        return (self.about, *(table for each in self.judges for table in each.tables), *agreement, *self.tool_tables)

    @property
    def charts(self) -> tuple[Chart, ...]:
        """All figures."""
        kappas = (self.kappas,) if self.kappas else ()
        return (*(chart for each in self.judges for chart in each.charts), *kappas, self.tool_chart)


def results(wanted: Wanted) -> Results:
    """Read everything and work it out. Raises UsageError and RecordError."""
    loaded = load(wanted.given)
    loaded = replace(loaded, runs=ablation.in_order(loaded.runs))
    _check(loaded.runs, wanted)
    check = _remembered(Grounded(wanted.courses))
    answers = {run.name: run.answers for run in loaded.runs}
    used = tables.every(answers, check)
    agreement = trusted.table(loaded.runs, wanted.labels)
    return Results(
        loaded,
        _about(loaded.runs),
        missing(loaded, agreement is not None, check, *trusted.unmatched(loaded.runs, wanted.labels)),
        _distinct(_judge(loaded.runs, judge, wanted) for judge in verdicts.judges(loaded.runs)),
        agreement if agreement and agreement.rows else None,
        kappas.drawn(agreement) if agreement and agreement.rows else None,
        used,
        charts.tools(next(table for table in used if table.id == "tools"), list(answers)),
        tuple((run, worst.unanswered(run, wanted.worst)) for run in loaded.runs),
        _defined(loaded.runs, wanted.rubrics),
    )


def _defined(runs: Sequence[Run], folder: Path) -> dict[str, Rubric | None]:
    known = {each.id: each for each in load_rubrics(folder)}
    judges = (judge for judge in verdicts.judges(runs) if judge != LOCAL)
    used = dict.fromkeys(name for judge in judges for name in verdicts.criteria(runs, judge))
    return {name: known.get(name) for name in used}


def _judge(runs: Sequence[Run], judge: str, wanted: Wanted) -> OfJudge:
    ours = scopes(runs, wanted.unseen)
    pairs = judged.pairs(runs, wanted.compare) if wanted.compare else _pairs(runs)
    found = (judged.shares(runs, judge, ours), judged.tests(pairs, judge, ours), ablation.trends(runs, judge))
    bad = ((run, worst.judged(run, judge, wanted.worst)) for run in runs)
    kept = tuple((run, answers) for run, answers in bad if answers)
    return OfJudge(judge, judge == LOCAL, _charts(runs, judge, wanted), tuple(t for t in found if t.rows), kept)


def _distinct(judges: Iterable[OfJudge]) -> tuple[OfJudge, ...]:
    """Judges and families whose names become the same file name get a number each, so that none is overwritten."""
    times: Counter[tuple[type, str]] = Counter()

    def once(part: T) -> T:
        times[type(part), part.id] += 1
        number = times[type(part), part.id]
        return replace(part, id=f"{part.id}_{number}") if number > 1 else part

    return tuple(
        replace(each, charts=tuple(map(once, each.charts)), tables=tuple(map(once, each.tables))) for each in judges
    )


def _pairs(runs: Sequence[Run]) -> tuple[judged.Pair, ...]:
    """Runs that belong to no ablation with one another, and those of an ablation among themselves."""
    members = tuple(ablation.families(runs).values())
    alone = ablation.alone(runs)
    groups = (alone, *members) if len(alone) < len(runs) else members or (runs,)
    return tuple(pair for group in groups for pair in judged.pairs(group))


def _charts(runs: Sequence[Run], judge: str, wanted: Wanted) -> tuple[Chart, ...]:
    """Shares over each scope, then one figure for each family of runs, which the first ones leave out."""
    drawn = []
    for scope in scopes(runs, wanted.unseen):
        title = f"Share of YES, {scope.title}: {judged.called(judge)}"
        said = judged.said(ablation.alone(runs), judge, scope)
        drawn += [charts.shares(f"shares_{judged.slug(judge)}_{scope.id}", title, said)] if said else []
    whole = scopes(runs, ())[0]
    for family, members in ablation.families(runs).items():
        title = f"Ablation of {family}: {judged.called(judge)}"
        said = judged.said(members, judge, whole)
        id = f"ablation_{judged.slug(judge)}_{judged.slug(family)}"
        drawn += [charts.shares(id, title, said)] if said else []
    return tuple(drawn)


def _about(runs: Sequence[Run]) -> Table:
    head = ("run", "file", "model", "questions", "answered", "courses", "judges", "judgements")
    rows = [
        (
            run.name, run.path.name, run.model, len(run.answers), sum(row.status == "ok" for row in run.answers),
            ", ".join(sorted({row.course for row in run.answers})), ", ".join(run.judges) or "none",
            len(run.judgements),
        )
        for run in runs
    ]  # fmt: skip
    note = (
        "Answered: questions that ended with an answer that holds. Judgements: requests to judges and checks, each "
        "answer by each criterion as often as it was repeated."
    )
    return Table("runs", "Runs", head, rows, note=note)


def _check(runs: Sequence[Run], wanted: Wanted) -> None:
    names = [run.name for run in runs]
    unknown = next((name for pair in wanted.compare for name in pair if name not in names), None)
    if unknown is not None:
        raise UsageError(f"there is no run {unknown!r} to compare; there are: {', '.join(names)}")
    there = {row.course for run in runs for row in run.answers}
    absent = next((name for name in wanted.unseen if name not in there), None)
    if absent is not None:
        raise UsageError(f"no answer is about the course {absent!r} of --unseen; there are: {', '.join(sorted(there))}")


def _remembered(check: Check) -> Check:
    """The same check that looks at each answer once: several tables count the same answers."""
    known: dict[int, Sequence[str] | None] = {}

    def once(row: Answered) -> Sequence[str] | None:
        if id(row) not in known:
            known[id(row)] = check(row)
        return known[id(row)]

    return once
