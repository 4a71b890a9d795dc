"""CSV as people and spreadsheets write it."""

from pathlib import Path

import pytest

from app.batch.rows import Problems
from app.batch.sheet import QuestionSheet, read_sheet
from scribe.trajectory import Exchange
from tools.assembly.settings import AnswerSettings


def read(content: bytes, name: str = "in.csv") -> QuestionSheet:
    path = Path(name)
    path.write_bytes(content)
    problems = Problems(path)
    found = read_sheet(path, AnswerSettings(), problems)
    assert not problems.found
    return found


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("end", ["\r\n", "\n", "\r"])
def test_separators_byte_order_marks_and_line_ends_do_not_matter(separator: str, mark: bytes, end: str) -> None:
    header = ["id", "course", "student", "question"]
    cells = [header, ["1", "mini", "s001", "Pourquoi é?"], [], ["2", "mini", "s002", "So?"]]
    text = end.join(separator.join(line) for line in cells)
    first, second = read(mark + text.encode()).rows
    assert (first.id, first.question, first.line) == ("1", "Pourquoi é?", 2)
    assert (second.student, second.line) == ("s002", 4)


def test_a_cell_may_hold_quotes_line_breaks_and_a_history() -> None:
    content = (
        "id,course,student,question,theory,history\n"
        '1,mini,s001,"Why, ""so""\nto say?",,\n'
        '2,mini,s001,Why?,con,"[{""question"": ""Who?"", ""answer"": ""You.""}]"\n'
    )
    first, second = read(content.encode()).rows
    assert (first.question, first.theory, first.history) == ('Why, "so"\nto say?', "", ())
    assert (second.line, second.theory, second.history) == (4, "con", (Exchange("Who?", "You."),))


def test_json_lines_may_have_a_mark_blank_lines_and_fields_of_others() -> None:
    line = b'{"id": 7, "course": "mini", "student": "s001", "question": "Why?", "tools": [], "student_id": 4}'
    (row,) = read(b"\xef\xbb\xbf\r\n" + line + b"\r\n\n", "in.jsonl").rows
    assert (row.id, row.line) == ("7", 2)
