"""What a question requires of calls, and the shares that have intervals."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from eval.significance import Share
from eval.table import Cell, Table
from eval.tool_use import tables
from eval.tool_use.answers import AnswerRow, RequiredArguments, read_answers, read_expectations
from eval.tool_use.checks import gives_arguments
from eval.tool_use.tables import SHARES, leave_out_failed
from scribe.plumbing.errors import RecordError
from tests.eval.tool_use.rows import act, answered, failed, unresolved, write

WEEK = {"map_week_to_topic": {"week": 5}}
ROWS = (
    answered(
        "a", act("map_week_to_topic", week=5), tools=("map_week_to_topic",), arguments=WEEK,
        language="en", category="how",
    ),
    answered("b", act("textbook_search"), tools=("",), course="other", language="fr", category="next"),
    answered("c", tools=("map_week_to_topic", ""), arguments=WEEK, language="fr", category="next"),
    unresolved("d"),
    failed("e"),
)  # fmt: skip


def share(name: str, *rows: AnswerRow) -> Share:
    return SHARES[name](leave_out_failed(rows))


def cells(table: Table, **wanted: str) -> list[dict[str, Cell]]:
    rows = [dict(zip(table.head, row, strict=True)) for row in table.rows]
    return [row for row in rows if wanted.items() <= row.items()]


@pytest.mark.parametrize(
    ("required", "given", "right"),
    [
        ({"week": 5}, {"week": 5}, True),
        ({"week": 5}, {"week": "5"}, True),
        ({"week": 5}, {"week": "semaine 5"}, True),
        ({"week": 5}, {"week": 5, "feature": "effort"}, True),
        ({"week": 5}, {"week": 15}, False),
        ({"week": 5}, {"week": [5]}, False),
        ({"week": 1}, {"week": True}, False),
        ({"week": 5}, {"weak": 5}, False),
        ({"query": "aliasing"}, {"query": "what is  ALIASING?"}, True),
        ({"query": "hilbert space"}, {"query": "Hilbert\n space"}, True),
        ({"query": "vérifier"}, {"query": "Ve\u0301rifier"}, True),
        ({"query": "2019"}, {"query": 2019}, True),
        ({"query": "aliasing"}, {"query": "alias"}, False),
        ({"query": "aliasing"}, {"query": None}, False),
        ({"week": 5, "feature": "effort"}, {"week": 5, "feature": "rhythm"}, False),
    ],
)
def test_what_is_required_is_given_however_it_is_typed(
    required: RequiredArguments, given: Mapping[str, Any], right: bool
) -> None:
    assert gives_arguments(required, given) is right


def test_an_acceptable_tool_counts_whenever_it_was_called() -> None:
    late = answered("a", act("textbook_search"), act("map_week_to_topic"), tools=("map_week_to_topic",))
    assert (share("first tool acceptable", late).yes, share("any tool acceptable", late).yes) == (0, 1)


@pytest.mark.parametrize(
    ("tools", "called", "right"),
    [
        (("",), (), 1),
        ((), (), 1),
        (("",), ("textbook_search",), 0),
        (("textbook_search",), (), 0),
        (("textbook_search", ""), (), 1),
        (("textbook_search", ""), ("textbook_search",), 1),
        (("textbook_search", ""), ("grade_calculator",), 0),
    ],
)
def test_calling_nothing_is_right_where_it_is_acceptable(
    tools: tuple[str, ...], called: tuple[str, ...], right: int
) -> None:
    found = share("any tool acceptable", answered("a", *map(act, called), tools=tools))
    assert (found.yes, found.of) == (right, 1)


def test_questions_of_which_nobody_said_what_is_acceptable_are_in_neither_share() -> None:
    row = answered("a", act("textbook_search"))
    assert (share("any tool acceptable", row).of, share("arguments right", row).of) == (0, 0)


def test_the_first_call_to_a_tool_is_held_against_the_arguments_required() -> None:
    again = answered("a", act("map_week_to_topic", week=4), act("map_week_to_topic", week=5), arguments=WEEK)
    found = share("arguments right", again)
    assert (found.yes, found.of) == (0, 1)


def test_of_several_tools_those_that_were_called_count_each() -> None:
    both = {**WEEK, "textbook_search": {"query": "alias"}, "exercise_search": {"query": "alias"}}
    row = answered("a", act("textbook_search", query="aliasing"), act("map_week_to_topic", week=4), arguments=both)
    found = share("arguments right", row)
    assert (found.yes, found.of) == (1, 2)


def test_a_tool_that_was_not_called_has_no_arguments_that_could_be_wrong() -> None:
    assert share("arguments right", *ROWS).of == 1


def test_what_the_questions_require_comes_with_the_answers(tmp_path: Path) -> None:
    questions = tmp_path / "questions.jsonl"
    questions.write_text('{"id": "a", "language": "fr", "arguments": {"textbook_search": {"query": "5", "week": 5}}}\n')
    found = read_answers(write(tmp_path / "run.jsonl", ROWS[0], ROWS[1]), read_expectations(questions))
    assert (found[0].language, found[0].arguments) == ("fr", {"textbook_search": {"query": "5", "week": 5}})
    assert (found[1].language, found[1].arguments) == ("", {})


@pytest.mark.parametrize("wrong", ['{"week": 5}', '{"map_week_to_topic": {"week": [5]}}', "[]"])
def test_arguments_that_are_none_are_named_with_their_line(tmp_path: Path, wrong: str) -> None:
    path = tmp_path / "questions.jsonl"
    path.write_text(f'{{"id": "a", "arguments": {wrong}}}\n')
    with pytest.raises(RecordError, match=r"questions.jsonl:1"):
        read_expectations(path)


def test_both_shares_say_of_how_many_they_are() -> None:
    (row,) = cells(tables.make_overview({"run": ROWS}))
    assert (row["any tool acceptable"], row["of"], row["arguments right"], row["compared"]) == (2 / 3, 3, 1.0, 1)
    assert {"any tool acceptable", "arguments right", "compared"} <= set(tables.BRIEF)


def test_languages_have_a_table_only_where_a_question_says_its_own() -> None:
    made = {table.id: table for table in tables.make_tables({"run": ROWS})}
    counted = [(row["language"], row["questions"]) for row in cells(made["tool_use_by_language"])]
    assert counted == [("en", 1), ("fr", 2), ("not said", 1)]
    assert "tool_use_by_language" not in {table.id for table in tables.make_tables({"run": ROWS[3:]})}


def test_shares_have_wilsons_interval_over_all_and_in_every_group() -> None:
    table = tables.make_share_table({"run": ROWS})
    (row,) = cells(table, by="all", measure="answered")
    assert (row["yes"], row["of"], row["share"]) == (3, 4, 0.75)
    assert [row["low"], row["high"]] == pytest.approx([0.3006, 0.9544], abs=1e-4)
    groups = {(row["by"], row["group"]) for row in cells(table)}
    assert groups == {
        ("all", "all"), ("language", "en"), ("language", "fr"), ("course", "mini"), ("course", "other"),
        ("category", "how"), ("category", "next"),
    }  # fmt: skip
    french = {row["measure"]: (row["yes"], row["of"]) for row in cells(table, group="fr")}
    assert french == {"answered": (2, 2), "any tool acceptable": (1, 2), "first tool acceptable": (1, 2)}


def test_a_measure_that_no_question_counts_for_is_left_out_and_is_not_zero() -> None:
    assert not tables.make_share_table({"run": [failed("e")]}).rows
    checked = tables.make_share_table({"run": [replace(ROWS[0], unsupported=("week 9",))]})
    assert [row["share"] for row in cells(checked, by="all", measure="grounded")] == [0.0]


def test_a_page_has_the_whole_and_the_languages_and_says_where_the_rest_is() -> None:
    whole = tables.make_share_table({"run": ROWS})
    short = tables.shorten_shares(whole)
    assert {row["by"] for row in cells(short)} == {"all", "language"}
    assert short.id == whole.id
    assert short.note.endswith(tables.ONLY_IN_FILE)
