"""What is counted in finished answers, held against counts by hand."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from eval.significance import Share
from eval.tool_use import tables
from eval.tool_use.answers import AnswerRow, Expectation, read_answers, read_expectations
from eval.tool_use.checks import FAULT_KINDS, OTHER, GroundednessCheck, count_faults, name_fault
from eval.tool_use.tables import SHARES, leave_out_failed, make_tool_table
from scribe.plumbing.errors import RecordError
from scribe.trajectory import Fault
from tests.app.told import mini_courses
from tests.eval.tool_use.rows import act, answered, failed, fault, unresolved, write

ROWS = (
    answered(
        "a", act("map_week_to_topic"), act("textbook_search", ok=False), tools=("map_week_to_topic",), seconds=1.0
    ),
    answered(
        "b", act("map_week_to_topic", coerced=("week: '5' to 5",)), fault(), tools=("grade_calculator",), seconds=3.0
    ),
    answered("c", tools=("",), seconds=2.0),
    unresolved("d", fault(), fault("cut_off")),
    failed("e"),
)


def share(name: str, rows: Sequence[AnswerRow]) -> Share:
    return SHARES[name](leave_out_failed(rows))


def test_failures_of_ours_are_counted_apart_and_are_in_no_other_number() -> None:
    (row,) = tables.make_overview({"run": ROWS}).named_rows()
    assert (row["questions"], row["answered"], row["errors"]) == (4, 3 / 4, 1)
    assert row["calls a question"] == 3 / 4
    assert (share("no call", ROWS).yes, share("no call", ROWS).of) == (2, 4)


def test_calls_are_counted_by_tool_with_those_refused_and_repaired() -> None:
    assert make_tool_table({"run": ROWS}).rows == [
        ("run", "map_week_to_topic", 2, 2 / 3, 0, 2),
        ("run", "textbook_search", 1, 1 / 3, 1, 1),
    ]
    assert share("valid calls", ROWS).value == 2 / 3
    assert share("repaired calls", ROWS).value == 1 / 3


def test_the_first_tool_is_held_against_what_the_questions_accept_where_they_say_so() -> None:
    found = share("first tool acceptable", ROWS)
    assert (found.yes, found.of) == (2, 3)


def test_faults_are_told_apart_by_the_notice_that_was_given() -> None:
    kinds = [name_fault(fault(name).complaint) for name in FAULT_KINDS]
    assert kinds == list(FAULT_KINDS.values())
    assert count_faults([Fault("", "A notice of another time.")]) == {OTHER: 1}
    assert share("with a fault", ROWS).value == 2 / 4


def test_seconds_and_tokens_are_given_by_their_middle_and_their_slow_end() -> None:
    (row,) = tables.make_overview({"run": ROWS[:3]}).named_rows()
    assert row["seconds, median"] == 2.0
    assert row["seconds, p95"] == pytest.approx(2.9)
    assert row["from cache"] == 0.5


def test_nothing_counted_is_nothing_and_never_zero_percent() -> None:
    (row,) = tables.make_overview({"run": [failed("e")]}).named_rows()
    assert (row["valid calls"], row["calls a question"], row["seconds, median"]) == (None, None, None)


def test_an_answer_that_names_what_nothing_supports_is_not_grounded(tmp_path: Path) -> None:
    check = GroundednessCheck(mini_courses(tmp_path))
    assert check.find_unsupported(answered("a").record) == ()
    assert check.find_unsupported(answered("b", says="Look at week 9.").record) == ("week 9",)
    assert check.find_unsupported(unresolved("c").record) is None


def test_answers_of_a_course_that_is_gone_are_unchecked_and_counted_so(tmp_path: Path) -> None:
    check = GroundednessCheck(mini_courses(tmp_path / "courses"))
    path = write(tmp_path / "run.jsonl", answered("a"), answered("b", course="gone"))
    found = share("grounded", read_answers(path, find_unsupported=check.find_unsupported))
    assert (found.yes, found.of, found.missing) == (1, 1, 1)


def test_the_shares_of_a_runs_tools_add_up_to_one() -> None:
    table = tables.make_tool_table({"one": ROWS, "other": ROWS[:1]})
    for run in ("one", "other"):
        assert sum(float(row[3] or 0) for row in table.rows if row[0] == run) == pytest.approx(1)


def test_every_table_can_be_drawn_of_runs_without_a_single_answer() -> None:
    for table in tables.make_tables({"empty": [failed("e")]}):
        assert table.csv()
        assert table.markdown()


def test_a_file_is_read_as_the_batch_wrote_it(tmp_path: Path) -> None:
    path = write(tmp_path / "run.jsonl", *ROWS)
    known = {"a": Expectation("how", ("grade_calculator",))}
    found = read_answers(path, known)
    assert [row.status for row in found] == ["ok", "ok", "ok", "unresolved", "error"]
    assert found[4].error == "RuntimeError: BackendError: it is down"
    assert (found[0].category, found[0].tools) == ("how", ("grade_calculator",))
    assert found[1].tools is None


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "holds no answers"),
        ("nonsense\n", "run.jsonl:1"),
        ("[1]\n", "give a file that"),
        ('{"custom_id": "a"}\n', "OpenAI's batch form"),
    ],
)
def test_a_file_that_is_none_of_ours_is_named_with_its_line(tmp_path: Path, content: str, said: str) -> None:
    path = tmp_path / "run.jsonl"
    path.write_text(content)
    with pytest.raises(RecordError, match=said):
        read_answers(path)


def test_an_id_that_is_there_twice_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match=r"run.jsonl:2: the id 'a' is there twice"):
        read_answers(write(tmp_path / "run.jsonl", ROWS[0], ROWS[0]))


@pytest.mark.parametrize("line", ['{"category": "how"}', '{"id": "a", "tools": "x"}', "nonsense"])
def test_questions_that_cannot_be_read_are_named_with_their_line(tmp_path: Path, line: str) -> None:
    path = tmp_path / "questions.jsonl"
    path.write_text(f'{{"id": "q"}}\n{line}\n')
    with pytest.raises(RecordError, match=r"questions.jsonl:2"):
        read_expectations(path)


def test_of_a_line_that_was_cut_off_it_is_said_what_to_do(tmp_path: Path) -> None:
    path = write(tmp_path / "run.jsonl", *ROWS)
    path.write_bytes(path.read_bytes()[:-40])
    with pytest.raises(RecordError, match="the same `scribe answer` again goes on"):
        read_answers(path)


def test_shares_of_questions_say_of_how_many_they_are() -> None:
    table = tables.make_overview({"run": ROWS})
    row = dict(zip(table.head, table.rows[0], strict=True))
    assert (row["first tool acceptable"], row["of"], row["grounded"], row["checked"]) == (2 / 3, 3, None, 0)
    assert isinstance(row["calls a question"], float)
    assert {"errors", "of", "checked"} <= set(table.brief)
