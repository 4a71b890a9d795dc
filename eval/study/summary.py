"""All tables of a study, and the folder in which they and the figure are written."""

from collections import Counter
from pathlib import Path

from scipy import stats

from eval.report.shares import to_words
from eval.significance import Interval, Share, adjust_holm
from eval.study.analysis import RatingTest, compare_groups, describe_group, examine_ratings, require_participants
from eval.study.figure import draw_ratings
from eval.study.files import StudyData
from eval.table import Cell, Table, to_cell
from scribe.plumbing.errors import UsageError
from scribe.plumbing.files import write_bytes

LEVEL = 0.05


def make_tables(data: StudyData) -> list[Table]:
    """Means, tests, pairs, choices, and what the order did. Raises UsageError for fewer than two people."""
    require_participants(len(data.participants))
    tests = {criterion: examine_ratings(data.values(criterion)) for criterion in data.criteria}
    return [
        _tabulate_means(data),
        _tabulate_tests(tests),
        _tabulate_assumptions(tests),
        _tabulate_pairs(data),
        _tabulate_choices(data, "model", data.models, [each.model for each in data.choices]),
        _tabulate_choices(data, "conversation", ("A", "B", "C"), [each.conversation for each in data.choices]),
        _tabulate_places(data),
    ]


def write_summary(data: StudyData, out: Path) -> str:
    """Write `analysis.md`, `tables/*.csv` and the figure as `figure5.png` and `.svg`; what `analysis.md` says."""
    tables, chart = make_tables(data), draw_ratings(data)
    left_out = f" Left out, since they have not finished: {data.unfinished}." if data.unfinished else ""
    about = f"# Study: {len(data.participants)} participants\n\n{len(data.participants)} finished.{left_out}"
    text = "\n\n".join([about, f"![{chart.alt}](figure5.png)", *(table.markdown() for table in tables)]) + "\n"
    files = {f"tables/{table.id}.csv": table.csv().encode() for table in tables}
    files |= {"figure5.png": chart.png, "figure5.svg": chart.svg, "analysis.md": text.encode()}
    try:
        for name, content in files.items():
            write_bytes(out / name, content)
    except OSError as error:
        raise UsageError(f"the analysis cannot be written to {out}: {error.strerror}") from error
    return text


def _tabulate_means(data: StudyData) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for criterion in data.criteria:
        for model, values in zip(data.models, data.values(criterion), strict=True):
            found = describe_group(values)
            rows.append((to_words(criterion), model, found.n, found.mean, to_cell(found.sd), *_ends(found.interval)))
    head = ("criterion", "model", "n", "mean", "sd", "low", "high")
    return Table("means", "Mean ratings", head, rows, note="low, high: 95 % interval of the mean (t).")


def _tabulate_tests(tests: dict[str, RatingTest]) -> Table:
    adjusted = adjust_holm([1.0 if each.p != each.p else each.p for each in tests.values()])
    rows = [
        (
            to_words(criterion),
            to_cell(each.f),
            f"({each.df[0]}, {each.df[1]})",
            to_cell(each.p),
            None if each.p != each.p else holm,
            to_cell(each.eta2),
            *map(to_cell, (*each.kruskal, *each.friedman)),
        )
        for (criterion, each), holm in zip(tests.items(), adjusted, strict=True)
    ]
    head = ("criterion", "F", "df", "p", "p (Holm)", "eta²", "Kruskal H", "Kruskal p", "Friedman χ²", "Friedman p")
    note = (
        "One-way ANOVA as in the paper's Table 7, with Kruskal–Wallis beside it. Both take ratings as independent; "
        "here each participant rates every model, which Friedman's test heeds. Holm: adjusted for all criteria. "
        "eta²: share of the variance that lies between models (0.01 small, 0.06 medium, 0.14 large; Cohen 1988)."
    )
    return Table("tests", "Do ratings differ between models?", head, rows, note=note)


def _tabulate_assumptions(tests: dict[str, RatingTest]) -> Table:
    rows = [
        (
            to_words(criterion),
            *map(to_cell, (*each.shapiro, *each.levene)),
            "yes" if each.shapiro[1] >= LEVEL and each.levene[1] >= LEVEL else "no: see Kruskal–Wallis and Friedman",
        )
        for criterion, each in tests.items()
    ]
    head = ("criterion", "Shapiro W", "Shapiro p", "Levene W", "Levene p", "not rejected")
    note = (
        "Shapiro–Wilk: are the residuals normal? Levene, around medians: are the variances equal? Each is rejected "
        f"below p = {LEVEL}. Ratings from 1 to 5 are hardly ever normal, which ANOVA of equal groups bears well."
    )
    return Table("assumptions", "Do ANOVA's assumptions hold?", head, rows, note=note)


def _tabulate_pairs(data: StudyData) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for criterion in data.criteria:
        for (one, other), found in compare_groups(data.values(criterion)).items():
            numbers = (found.difference, found.d, found.interval.low, found.interval.high, found.p)
            rows.append((to_words(criterion), data.models[one], data.models[other], *map(to_cell, numbers)))
    head = ("criterion", "first", "second", "difference", "d", "low", "high", "p (Tukey)")
    note = "d: Cohen's, above 0 where the first is rated higher; low, high: its 95 % interval (noncentral t)."
    return Table("pairs", "Models in pairs", head, rows, note=note)


def _tabulate_choices(data: StudyData, what: str, names: tuple[str, ...], chosen: list[str]) -> Table:
    counts = Counter(chosen)
    rows: list[tuple[Cell, ...]] = []
    for name in names:
        share = Share(counts[name], len(chosen))
        rows.append((name, share.yes, share.of, share.value, *_ends(share.interval())))
    found = stats.chisquare([counts[name] for name in names])
    note = (
        f"low, high: Wilson's 95 % interval. All equally often? χ² = {found.statistic:.2f}, p = {found.pvalue:.3f}."
        + (" A, B and C are the order in which conversations came." if what == "conversation" else "")
    )
    title = "Which model was preferred?" if what == "model" else "Does the order matter for what is preferred?"
    head = (what, "chosen", "of", "share", "low", "high")
    return Table(f"choices_by_{what}", title, head, rows, ("share", "low", "high"), note)


def _tabulate_places(data: StudyData) -> Table:
    places = sorted({each.conversation for each in data.ratings})
    rows: list[tuple[Cell, ...]] = []
    for criterion in data.criteria:
        groups = [
            [each.value for each in data.ratings if (each.criterion, each.conversation) == (criterion, place)]
            for place in places
        ]
        means = [describe_group(each).mean for each in groups]
        rows.append((to_words(criterion), *means, to_cell(examine_ratings(groups).p)))
    return Table("places", "Does the order matter for ratings?", ("criterion", *places, "p (ANOVA)"), rows)


def _ends(interval: Interval) -> tuple[Cell, Cell]:
    return to_cell(interval.low), to_cell(interval.high)
