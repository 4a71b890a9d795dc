"""The shares with intervals: few rows on the page, all of them in the file beside it."""

import re
from pathlib import Path

from eval.report.results import Wanted, results
from eval.report.runs import Given
from eval.report.write import write
from eval.tool_use import asked
from tests.app.told import mini_courses
from tests.eval.tool_use.rows import answered
from tests.eval.tool_use.rows import write as write_answers


def test_of_the_shares_with_intervals_the_page_has_the_whole_and_the_file_every_group(tmp_path: Path) -> None:
    path = write_answers(tmp_path / "run.jsonl", answered("a0"))
    known = {"a0": asked.Asked("category-a", language="language-a")}
    found = results(Wanted(Given([str(path)], asked=known), courses=mini_courses(tmp_path / "courses")))
    index = write(found, tmp_path / "out")
    (shown,) = re.findall(r"<caption>Shares with intervals.*?</table>", index.read_text(encoding="utf-8"))
    kept = (index.parent / "csv" / "targets.csv").read_text(encoding="utf-8")
    assert ("language-a" in shown, "category-a" in shown) == (True, False)
    assert ("language-a" in kept, "category-a" in kept) == (True, True)
