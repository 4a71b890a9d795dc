"""The labelled statements: every one has a case, and the table counts refusals by language and kind."""

from eval.claims.__main__ import PARTS, Statement, read_cases, read_statements, tabulate


def test_every_statement_is_of_a_case_and_half_of_them_are_true() -> None:
    cases = read_cases()
    for part in PARTS:
        statements = read_statements(part)
        assert {each.case for each in statements} <= set(cases)
        assert sum(each.true for each in statements) * 2 == len(statements) >= 320


def test_the_parts_share_no_case() -> None:
    developing, unseen = ({each.case for each in read_statements(part)} for part in PARTS)
    assert not developing & unseen


def test_the_table_counts_refusals_of_true_and_false_statements_apart() -> None:
    lie = Statement("c", False, "whose", "…", "French")
    truth = Statement("c", True, "exact", "…", "French")
    lines = tabulate([(lie, ("x",)), (lie, ()), (truth, ())])
    assert any(line.startswith("false whose") and "1 of   2" in line for line in lines)
    assert any(line.startswith("true French") and "0 of   1" in line for line in lines)
