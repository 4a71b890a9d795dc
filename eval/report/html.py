"""Parts of a page as HTML. Whatever a model, a student or a judge wrote is escaped here, and nowhere else."""

import base64
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape

from eval.judge.judgement import LOCAL
from eval.judge.rubric import Rubric
from eval.report.charts import Chart
from eval.report.judged import words
from eval.report.worst import Worst
from eval.table import Table
from eval.tool_use.answered import Answered
from scribe.trajectory import Act, Answer, Fault, Step

GROUPS = "courses"


def table(shown: Table) -> str:
    """The table with its title and note; of a wide one the brief columns, the file beside it holds all.

    A first column of courses becomes headings between the rows.
    """
    if not shown.rows:
        return ""
    kept = [at for at, name in enumerate(shown.head) if not shown.brief or name in shown.brief]
    head = "".join(f'<th scope="col">{escape(shown.head[at])}</th>' for at in kept)
    if shown.head[0] == GROUPS:
        kept = kept[1:]
        head = "".join(f'<th scope="col">{escape(shown.head[at])}</th>' for at in kept)
    body = "".join(_rows(shown, kept))
    file = f'<a class="file" href="csv/{escape(shown.id)}.csv">CSV{", with more columns" if shown.brief else ""}</a>'
    note = f'<p class="note">{escape(shown.note)}</p>' if shown.note else ""
    caption = f"<caption>{escape(shown.title)} {file}</caption>"
    return f'<div class="wide"><table>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>{note}'


def _rows(shown: Table, kept: Sequence[int]) -> Iterator[str]:
    group = ""
    for row, cells in enumerate(shown.format_rows()):
        if shown.head[0] == GROUPS and cells[0] != group:
            group = cells[0]
            yield f'<tr class="group"><th scope="colgroup" colspan="{len(kept)}">{escape(group)}</th></tr>'
        yield f"<tr>{_cells(shown, kept, row, cells)}</tr>"


def _cells(shown: Table, kept: Iterable[int], row: int, cells: list[str]) -> str:
    """Numbers stand to the right."""
    parts = []
    for at in kept:
        kind = "words" if isinstance(shown.rows[row][at], str) else "number"
        kind = "lines" if "\n" in cells[at] else kind
        parts.append(f'<td class="{kind}">{text(cells[at])}</td>')
    return "".join(parts)


def chart(drawn: Chart) -> str:
    """The figure inside the page, with what it shows in words."""
    data = base64.b64encode(drawn.svg).decode()
    image = f'<img alt="{escape(drawn.alt, quote=True)}" src="data:image/svg+xml;base64,{data}">'
    file = f'<a class="file" href="png/{escape(drawn.id)}.png">PNG</a>'
    return f"<figure><figcaption>{escape(drawn.title)} {file}</figcaption>{image}</figure>"


def criteria(defined: Mapping[str, Rubric | None]) -> str:
    """What each criterion means, closed until somebody asks."""
    parts = (
        f"<h4>{escape(each.title)}</h4><p><strong>YES:</strong> {text(each.yes)}</p>"
        f"<p><strong>NO:</strong> {text(each.no)}</p>"
        if each
        else f"<h4>{escape(words(name))}</h4><p>No rubric here defines it; --rubrics DIR names the folder.</p>"
        for name, each in defined.items()
    )
    return f"<details><summary>What the criteria mean</summary>{''.join(parts)}</details>"


def worst(each: Worst) -> str:
    """One answer that failed, its trace and the judge's reasons inside."""
    said = "".join(
        f"<dt>{escape(words(name))}: NO</dt><dd>{text(said.reasoning or 'no reasons given')}</dd>"
        for name, said in each.said.items()
    )
    failed = ", ".join(words(name) for name in each.failed)
    local = any(found.judge == LOCAL for found in each.said.values())
    title = "What the checks found (no judge)" if local else "What the judge said"
    reasons = f'<h4>{title}</h4><dl class="reasons">{said}</dl>' if said else ""
    return folded(each.row, f"NO on {failed}", reasons)


def unanswered(row: Answered) -> str:
    """One question that got no answer, its trace inside."""
    return folded(row, row.error or f"no answer: {row.record.stop or row.status}", "")


def folded(row: Answered, why: str, more: str) -> str:
    """A question in one line that opens: answer, further parts, steps, report. The student's id is left out."""
    task = row.record.task
    head = (
        f'<span class="id">{escape(row.id)}</span> <span class="course">{escape(row.course)}</span> '
        f'{escape(_short(task.question))} <span class="why">{escape(why)}</span>'
    )
    earlier = "".join(f"<p>{text(each.question)}</p><p>{text(each.answer)}</p>" for each in task.history)
    history = f"<h4>Said before</h4>{earlier}" if earlier else ""
    steps = "".join(f"<li>{step(each)}</li>" for each in row.record.steps)
    answer = text(row.record.answer) if row.record.answer else "<em>none</em>"
    return (
        f"<details><summary>{head}</summary><h4>Question</h4><p>{text(task.question)}</p>{history}"
        f"<h4>Answer</h4><p>{answer}</p>{more}<h4>Steps</h4><ol>{steps or '<li><em>none</em></li>'}</ol>"
        f"<details><summary>The report it is about</summary><p>{text(task.report)}</p></details></details>"
    )


def step(each: Step) -> str:
    """One step: thought, calls with what the tools said, faults with the notice."""
    match each:
        case Act(thought, calls, observations):
            made = zip(calls, observations, strict=True)
            said = "".join(
                f'<pre class="call">{escape(call.name)}({escape(_arguments(call.arguments))})</pre>'
                f'<pre class="{"seen" if seen.ok else "refused"}">{escape(seen.content)}</pre>'
                for call, seen in made
            )
            return f'<p class="thought">{text(thought)}</p>{said}'
        case Fault(raw, complaint):
            return f'<p class="fault">Fault: {text(complaint)}</p><pre>{escape(raw)}</pre>'
        case Answer(thought, said):
            return f'<p class="thought">{text(thought)}</p><p>Answer: {text(said)}</p>'


def text(words: str) -> str:
    """Plain text with its line breaks; no markup of others comes through."""
    return escape(words).replace("\n", "<br>")


def _arguments(arguments: object) -> str:
    return json.dumps(dict(arguments) if isinstance(arguments, dict) else arguments, ensure_ascii=False, default=str)


def _short(words: str, most: int = 140) -> str:
    flat = " ".join(words.split())
    return flat if len(flat) <= most else f"{flat[: most - 1]}…"
