"""Cells for people and for programs."""

import pytest

from eval.table import Cell, Table, format_cell


@pytest.mark.parametrize(
    ("cell", "percent", "said"),
    [
        (None, True, "–"),
        (0.5, True, "50.0 %"),
        (1, True, "100.0 %"),
        (1234, False, "1,234"),
        (0.00002, False, "2.0e-05"),
        (0.25, False, "0.250"),
        (2317.5, False, "2,318"),
        ("5 %", True, "5 %"),
    ],
)
def test_cells_are_shown_as_people_read_them(cell: Cell, percent: bool, said: str) -> None:
    assert format_cell(cell, percent) == said


def test_a_file_has_numbers_in_full_and_an_empty_cell_for_what_nobody_knows() -> None:
    table = Table("t", "T", ("a", "b"), [(1 / 3, None)], ("a",))
    assert table.csv() == "a,b\n0.3333333333333333,\n"


def test_text_that_a_spreadsheet_would_run_is_made_plain() -> None:
    assert Table("t", "T", ("a",), [("=1+1",), ("@x",), (-1,)]).csv() == "a\n'=1+1\n'@x\n-1\n"


def test_a_bar_in_a_cell_does_not_break_a_markdown_table() -> None:
    assert "a\\|b" in Table("t", "T", ("x",), [("a|b",)]).markdown()


def test_what_is_infinite_is_not_shown_as_unknown() -> None:
    assert [format_cell(cell) for cell in (float("inf"), -float("inf"))] == ["∞", "-∞"]


def test_a_line_break_in_a_cell_does_not_break_a_markdown_table() -> None:
    assert "| a b |" in Table("t", "T", ("x",), [("a\nb",)]).markdown()
