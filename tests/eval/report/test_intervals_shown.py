"""The shares with intervals: few rows on the page, all of them in the file beside it."""

import re
from pathlib import Path

from eval.report.page import write_report
from eval.report.report import build_report
from eval.report.runs import ReportRequest
from eval.tool_use.answers import Expectation
from tests.app.told import mini_courses
from tests.eval.tool_use.rows import answered
from tests.eval.tool_use.rows import write as write_answers


def test_of_the_shares_with_intervals_the_page_has_the_whole_and_the_file_every_group(tmp_path: Path) -> None:
    path = write_answers(tmp_path / "run.jsonl", answered("a0"))
    known = {"a0": Expectation("category-a", language="language-a")}
    found = build_report(ReportRequest([str(path)], expectations=known, courses=mini_courses(tmp_path / "courses")))
    index = write_report(found, tmp_path / "out")
    (shown,) = re.findall(r"<caption>Shares with intervals.*?</table>", index.read_text(encoding="utf-8"))
    kept = (index.parent / "csv" / "targets.csv").read_text(encoding="utf-8")
    assert ("language-a" in shown, "category-a" in shown) == (True, False)
    assert ("language-a" in kept, "category-a" in kept) == (True, True)
