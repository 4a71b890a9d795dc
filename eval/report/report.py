"""Everything that a report shows, worked out once: the page, the CSV files and the PNG files are made of it."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from eval.agreement.raters import compare_raters
from eval.agreement.ratings import count_other_texts, group_by_judge, group_by_person, read_label_files
from eval.agreement.tables import make_table as make_agreement_table
from eval.judge.judgement import LOCAL
from eval.judge.rubric import Rubric
from eval.judge.rubric import load as load_rubrics
from eval.report.charts import Chart, draw_shares, draw_tools
from eval.report.differences import choose_pairs, group_families, leave_out_families, make_test_table, sort_runs
from eval.report.missing import list_missing
from eval.report.runs import EvaluatedRun, LoadedRuns, ReportRequest, load_runs
from eval.report.shares import collect_shares, describe_judge, make_share_table, make_slug
from eval.report.verdicts import (
    ALL,
    WorstAnswer,
    find_unanswered,
    find_worst,
    list_criteria,
    list_judges,
    make_scopes,
)
from eval.table import Table
from eval.tool_use.answers import AnswerRow
from eval.tool_use.tables import make_tables
from scribe.plumbing.errors import UsageError

T = TypeVar("T", Chart, Table)
"""What becomes a file under its id."""


@dataclass(frozen=True, slots=True)
class JudgePart:
    """One judge's part. worst: by run; runs without a NO are left out."""

    judge: str
    charts: tuple[Chart, ...]
    tables: tuple[Table, ...]
    worst: Mapping[str, Sequence[WorstAnswer]]

    @property
    def local(self) -> bool:
        """Whether it is the checks without a model, which are shown apart."""
        return self.judge == LOCAL


@dataclass(frozen=True, slots=True)
class Report:
    """A whole report. unanswered: by run, questions that got no answer.

    criteria: what each means that a judge went by; None where no rubric says it.
    """

    loaded: LoadedRuns
    about: Table
    missing: tuple[str, ...]
    judges: tuple[JudgePart, ...]
    agreement: Table | None
    tool_tables: tuple[Table, ...]
    tool_chart: Chart
    unanswered: Mapping[str, Sequence[AnswerRow]]
    criteria: Mapping[str, Rubric | None]

    @property
    def tables(self) -> tuple[Table, ...]:
        """All tables."""
        agreement = (self.agreement,) if self.agreement else ()
        return (self.about, *(table for each in self.judges for table in each.tables), *agreement, *self.tool_tables)

    @property
    def charts(self) -> tuple[Chart, ...]:
        """All figures."""
        return (*(chart for each in self.judges for chart in each.charts), self.tool_chart)


def build_report(request: ReportRequest) -> Report:
    """Read everything and work it out. Raises UsageError and RecordError."""
    loaded = load_runs(request)
    loaded = replace(loaded, runs=sort_runs(loaded.runs))
    runs = loaded.runs
    _refuse_unknown(runs, request)
    tool_tables = make_tables({run.name: run.answers for run in runs})
    tool_table = next(table for table in tool_tables if table.id == "tools")
    agreement, unmatched, changed = compare_with_people(runs, request.labels)
    return Report(
        loaded,
        _list_runs(runs),
        list_missing(loaded, agreement is not None, unmatched, changed),
        _number_alike(_judge_part(runs, judge, request) for judge in list_judges(runs)),
        agreement if agreement and agreement.rows else None,
        tool_tables,
        draw_tools(tool_table, [run.name for run in runs]),
        {run.name: find_unanswered(run, request.worst) for run in runs},
        _define_criteria(runs, request.rubrics),
    )


def compare_with_people(runs: Sequence[EvaluatedRun], labels: Sequence[Path]) -> tuple[Table | None, int, int]:
    """Compare people with people and with judges; no table without labels.

    The numbers count labels of no answer and criterion that a judge of these runs saw, and labels of an earlier text
    of one that was seen. Raises UsageError or RecordError.
    """
    if not labels:
        return None, 0, 0
    found = group_by_judge(each for run in runs for each in run.judgements)
    judges = {judge: found[judge] for judge in list_judges(runs)}
    judged = {key for each in judges.values() for key in each}
    people = group_by_person(read_label_files(labels))
    changed = sum(count_other_texts(marks, [judged]) for marks in people.values())
    unmatched = sum(key not in judged for marks in people.values() for key in marks) - changed
    return make_agreement_table(compare_raters(people, judges)), unmatched, changed


def _define_criteria(runs: Sequence[EvaluatedRun], folder: Path) -> dict[str, Rubric | None]:
    known = {each.id: each for each in load_rubrics(folder)}
    judges = (judge for judge in list_judges(runs) if judge != LOCAL)
    used = dict.fromkeys(name for judge in judges for name in list_criteria(runs, judge))
    return {name: known.get(name) for name in used}


def _judge_part(runs: Sequence[EvaluatedRun], judge: str, request: ReportRequest) -> JudgePart:
    scopes = make_scopes(runs, request.unseen)
    pairs = choose_pairs(runs, request.compare)
    tables = make_share_table(runs, judge, scopes), make_test_table(pairs, judge, scopes)
    worst = {run.name: find_worst(run, judge, request.worst) for run in runs}
    return JudgePart(
        judge,
        tuple(_draw_judge(runs, judge, request)),
        tuple(table for table in tables if table.rows),
        {name: answers for name, answers in worst.items() if answers},
    )


def _draw_judge(runs: Sequence[EvaluatedRun], judge: str, request: ReportRequest) -> Iterator[Chart]:
    """Shares over each scope, then one figure for each family of runs, which the first ones leave out."""
    for scope in make_scopes(runs, request.unseen):
        title = f"Share of YES, {scope.title}: {describe_judge(judge)}"
        if shares := collect_shares(leave_out_families(runs), judge, scope):
            yield draw_shares(f"shares_{make_slug(judge)}_{scope.id}", title, shares)
    for family, members in group_families(runs).items():
        title = f"Ablation of {family}: {describe_judge(judge)}"
        if shares := collect_shares(members, judge, ALL):
            yield draw_shares(f"ablation_{make_slug(judge)}_{make_slug(family)}", title, shares)


def _number_alike(parts: Iterable[JudgePart]) -> tuple[JudgePart, ...]:
    """Judges and families whose names become the same file name get a number each, so that none is overwritten."""
    times: Counter[tuple[type, str]] = Counter()

    def rename(file: T) -> T:
        times[type(file), file.id] += 1
        number = times[type(file), file.id]
        return replace(file, id=f"{file.id}_{number}") if number > 1 else file

    return tuple(
        replace(each, charts=tuple(map(rename, each.charts)), tables=tuple(map(rename, each.tables))) for each in parts
    )


def _list_runs(runs: Sequence[EvaluatedRun]) -> Table:
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


def _refuse_unknown(runs: Sequence[EvaluatedRun], request: ReportRequest) -> None:
    names = [run.name for run in runs]
    unknown = next((name for pair in request.compare for name in pair if name not in names), None)
    if unknown is not None:
        raise UsageError(f"there is no run {unknown!r} to compare; there are: {', '.join(names)}")
    there = {row.course for run in runs for row in run.answers}
    absent = next((name for name in request.unseen if name not in there), None)
    if absent is not None:
        raise UsageError(f"no answer is about the course {absent!r} of --unseen; there are: {', '.join(sorted(there))}")
