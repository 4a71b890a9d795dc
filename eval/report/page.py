"""A report as files: `index.html`, the same as `csv/*.csv` and `png/*.png`, and `files.json`, which lists them."""

import base64
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from eval.report import shares
from eval.report.report import Report
from eval.report.shares import describe_judge, lay_beside, to_words
from eval.table import Table
from eval.tool_use import tables as tool_tables
from scribe.plumbing.errors import UsageError
from scribe.plumbing.files import PRIVATE, write_bytes, write_text

LIST = "files.json"
_OURS = re.compile(r"(csv|png)/\w+\.\1")


def render_page(report: Report) -> str:
    """The page as HTML text."""
    environment = make_environment()
    filters: dict[str, Callable[..., Any]] = {
        "first_capital": lambda text: text[:1].upper() + text[1:],
        "fit_page": _fit_page,
        "json": _to_json,
        "judge": describe_judge,
        "words": to_words,
    }
    environment.filters.update(filters)
    shows_answers = any(report.unanswered.values()) or any(part.worst for part in report.judges)
    template = environment.get_template("report/page.html.jinja")
    return template.render(report=report, shows_answers=shows_answers)


def make_environment() -> Environment:
    """What pages on results are rendered with, by their path under `eval`: all is escaped, no name may be missing."""
    folder = Path(__file__).parent
    environment = Environment(autoescape=True, undefined=StrictUndefined, loader=FileSystemLoader(folder.parent))
    environment.globals |= {"zip": zip, "css": Markup((folder / "page.css").read_text(encoding="utf-8"))}
    environment.filters |= {"base64": lambda data: base64.b64encode(data).decode(), "line_breaks": break_lines}
    return environment


def break_lines(text: str) -> Markup:
    """Plain text with its line breaks; no markup of others comes through."""
    return Markup(str(escape(text)).replace("\n", "<br>"))


def write_report(report: Report, out: Path) -> Path:
    """Write the report into a folder and return its page; each file appears whole or not at all, the page last.

    Files of an earlier report that this one does not have are taken away. Raises UsageError if it cannot be written.
    """
    files = {f"csv/{table.id}.csv": table.csv().encode("utf-8", "replace") for table in report.tables}
    files |= {f"png/{chart.id}.png": chart.png for chart in report.charts}
    try:
        for name, content in {**files, "index.html": render_page(report).encode("utf-8", "replace")}.items():
            write_bytes(out / name, content, PRIVATE)  # students' questions and answers are in it
        _remove_earlier(out, set(files))
        write_text(out / LIST, json.dumps(sorted(files), indent=1), PRIVATE)
    except OSError as error:
        raise UsageError(f"the report cannot be written to {out}: {error.strerror}; give another --out") from error
    return out / "index.html"


def _fit_page(table: Table) -> Table:
    """The table as a page has room for it; the file beside it holds all."""
    if table.head == shares.HEAD:
        return lay_beside(table)
    return tool_tables.shorten_shares(table) if table.head == tool_tables.SHARES_HEAD else table


def _to_json(arguments: Any) -> str:
    return json.dumps(dict(arguments) if isinstance(arguments, dict) else arguments, ensure_ascii=False, default=str)


def _remove_earlier(out: Path, kept: set[str]) -> None:
    """Take away what an earlier report wrote here and this one did not; nobody else's files."""
    try:
        earlier = json.loads((out / LIST).read_bytes())
    except (OSError, ValueError):
        return
    for name in earlier if isinstance(earlier, list) else ():
        if isinstance(name, str) and _OURS.fullmatch(name) and name not in kept:
            (out / name).unlink(missing_ok=True)
