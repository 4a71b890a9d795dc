"""The paper's tables: what of them can be reproduced."""

import pytest

from eval.significance import Share, compare_shares
from eval.significance.feasible import ALL, EIGHT, ONE, estimate_chance, find_consistent_counts, find_counts
from eval.significance.paper import OVER_BASE, QUESTIONS, TABLE_3, TESTS, PrintedTest
from eval.significance.published import make_table_3, make_tables_4_and_5

TABLE_4 = [test for test in TESTS if test.table == 4]


@pytest.mark.parametrize("test", TABLE_4, ids=lambda test: f"{test.compared}, {test.criterion}")
def test_every_cell_of_table_4_is_reproduced_by_just_one_pair_of_pooled_counts(test: PrintedTest) -> None:
    of = (ALL, ALL) if test.compared == OVER_BASE else (EIGHT, ONE)
    (found,) = find_consistent_counts(test, of)
    again = compare_shares(Share(found.yes[0], of[0]), Share(found.yes[1], of[1]))
    assert test.format(again.odds_ratio, again.p) == test.format(test.odds_ratio, test.p)


@pytest.mark.parametrize("test", TABLE_4, ids=lambda test: f"{test.compared}, {test.criterion}")
def test_no_cell_of_table_4_is_reproduced_by_one_model(test: PrintedTest) -> None:
    assert not any(find_counts(test, (QUESTIONS, QUESTIONS)))


@pytest.mark.parametrize("test", [test for test in TESTS if test.table == 5], ids=lambda test: test.criterion)
def test_every_cell_of_table_5_is_reproduced_by_pooled_counts_though_not_by_one_pair(test: PrintedTest) -> None:
    assert find_consistent_counts(test, (ALL, ALL) if test.compared == OVER_BASE else (EIGHT, ONE))


def test_every_percentage_of_table_3_is_a_whole_count() -> None:
    for row in TABLE_3:
        for percent, _ in row.cells:
            assert f"{100 * round(percent / 100 * row.questions) / row.questions:.2f}" == f"{percent:.2f}"


def test_the_tables_say_where_they_cannot_be_reproduced() -> None:
    assert "no formula can" in make_table_3().markdown()
    assert "pool models" in make_tables_4_and_5().markdown()


def test_few_made_up_cells_fit_table_4_and_many_fit_table_5() -> None:
    first, second = (next(test for test in TESTS if test.table == table) for table in (4, 5))
    assert estimate_chance(first, (ALL, ALL), drawn=5) < 0.5 < estimate_chance(second, (ALL, ALL), drawn=5)
