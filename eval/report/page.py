"""The whole report as one page that needs nothing but itself: no script, no font, no address."""

from collections.abc import Iterable
from html import escape
from importlib import resources

from eval.report import html, judged
from eval.report.judged import called
from eval.report.results import OfJudge, Results
from eval.report.runs import Run
from eval.tool_use import targets

LOCAL_TOLD = (
    "These are fixed rules that read the form of an answer. They stand in for no judge, and their shares must not be "
    "set beside a judge's."
)
JUDGE_TOLD = (
    "A judge is a language model that read each answer with its report, question and trace, and said YES or NO to one "
    "written criterion at a time. Whiskers in the figures are 95 % intervals (Wilson's)."
)
HOLDS = "This page holds students' questions, reports and answers. Treat it as you treat those."


def page(results: Results) -> str:
    """The page as HTML text."""
    names = ", ".join(run.name for run in results.loaded.runs)
    css = resources.files("eval.report").joinpath("page.css").read_text(encoding="utf-8")
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>Scribe: {escape(names)}</title><style>{css}</style></head><body>"
        f"<header><h1>Evaluation of {escape(names)}</h1>"
        f'<p class="about">{HOLDS if _shows_answers(results) else ""}</p>{_contents(results)}</header>'
        f"<main>{''.join(_parts(results))}</main></body></html>\n"
    )


def _parts(results: Results) -> Iterable[str]:
    yield html.table(results.about)
    yield _missing(results.missing)
    if results.criteria:
        yield f'<div id="criteria">{html.criteria(results.criteria)}</div>'
    for number, judge in enumerate(results.judges):
        yield _judge(number, judge)
    if results.agreement:
        drawn = html.chart(results.kappas) if results.kappas else ""
        yield _section("agreement", "Agreement", drawn + html.table(results.agreement))
    tables = (targets.shortened(table) if table.head == targets.HEAD else table for table in results.tool_tables)
    shown = [html.chart(results.tool_chart), *(html.table(table) for table in tables)]
    yield _section("tools", "Tools, faults, groundedness, time", "".join(shown))
    yield from _answers(results)


def _contents(results: Results) -> str:
    places = [("missing", "What is missing")]
    places += [("criteria", "Criteria")] if results.criteria else []
    places += [(f"judge{number}", _title(each)) for number, each in enumerate(results.judges)]
    places += [("agreement", "Agreement")] if results.agreement else []
    places += [("tools", "Tools"), *([("worst", "Worst answers")] if _shows_answers(results) else [])]
    links = "".join(f'<a href="#{place}">{escape(name)}</a> ' for place, name in places)
    return f"<nav>{links}</nav>"


def _missing(sentences: Iterable[str]) -> str:
    listed = "".join(f"<li>{escape(sentence)}</li>" for sentence in sentences)
    body = f"<ul>{listed}</ul>" if listed else "<p>Nothing: every question has its answer and its verdicts.</p>"
    return f'<section class="missing" id="missing"><h2>What is missing</h2>{body}</section>'


def _judge(number: int, each: OfJudge) -> str:
    told = f"<p><strong>{escape(LOCAL_TOLD)}</strong></p>" if each.local else f"<p>{escape(JUDGE_TOLD)}</p>"
    tables = (judged.beside(table) if table.head == judged.HEAD else table for table in each.tables)
    body = "".join((*(html.chart(chart) for chart in each.charts), *(html.table(table) for table in tables)))
    kind = "local" if each.local else ""
    return _section(f"judge{number}", _title(each), told + body, kind)


def _title(each: OfJudge) -> str:
    words = called(each.judge)
    return words[:1].upper() + words[1:]


def _answers(results: Results) -> Iterable[str]:
    if not _shows_answers(results):
        return
    parts = []
    for each in results.judges:
        for run, found in each.worst:
            head = f"{escape(run.name)}, by {escape(called(each.judge))}"
            parts.append(f"<h3>{head}</h3>{''.join(html.worst(answer) for answer in found)}")
    parts += [_unanswered(run, "".join(html.unanswered(row) for row in rows)) for run, rows in results.unanswered]
    yield _section("worst", "Worst answers", "".join(parts))


def _unanswered(run: Run, body: str) -> str:
    return f"<h3>{escape(run.name)}: questions without an answer</h3>{body}" if body else ""


def _shows_answers(results: Results) -> bool:
    unanswered = any(rows for _, rows in results.unanswered)
    return unanswered or any(each.worst for each in results.judges)


def _section(id: str, title: str, body: str, kind: str = "") -> str:
    return f'<section id="{id}" class="{kind}"><h2>{escape(title)}</h2>{body}</section>'
