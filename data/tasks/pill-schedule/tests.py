from datetime import date

from pills.box import HORIZON, PillBox, Plan

MONDAY = date(2025, 3, 3)


def order(stock, *plans, today=MONDAY):
    return PillBox(stock, list(plans)).order_day(today)


def test_pills_are_ordered_so_that_they_are_there_when_they_run_out():
    assert order({"iron": 4}, Plan("iron", MONDAY, 1, 1)) == date(2025, 3, 5)


def test_several_pills_a_day_run_out_sooner():
    assert order({"iron": 8}, Plan("iron", MONDAY, 1, 2)) == date(2025, 3, 5)


def test_a_stock_too_small_for_one_day_is_not_enough():
    assert order({"iron": 9}, Plan("iron", MONDAY, 1, 2)) == date(2025, 3, 5)


def test_plans_need_not_take_pills_every_day():
    assert order({"iron": 2}, Plan("iron", MONDAY, 7, 1)) == date(2025, 3, 14)


def test_a_plan_that_begins_later_needs_nothing_before():
    assert order({"iron": 1}, Plan("iron", date(2025, 3, 12), 1, 1)) == date(2025, 3, 11)


def test_two_plans_may_take_the_same_pill():
    assert order({"iron": 8}, Plan("iron", MONDAY, 1, 1), Plan("iron", MONDAY, 1, 1)) == date(2025, 3, 5)


def test_the_pill_that_runs_out_first_decides():
    assert order({"iron": 50, "zinc": 4}, Plan("iron", MONDAY, 1, 1), Plan("zinc", MONDAY, 1, 1)) == date(2025, 3, 5)


def test_when_the_pharmacy_is_closed_one_orders_before():
    assert order({"iron": 7}, Plan("iron", MONDAY, 1, 1)) == date(2025, 3, 7)


def test_what_is_due_before_today_is_ordered_today():
    assert order({"iron": 1}, Plan("iron", MONDAY, 1, 1)) == MONDAY
    assert order({"iron": 0}, Plan("iron", MONDAY, 1, 1)) == MONDAY


def test_a_pill_that_the_box_does_not_hold_is_missing_at_once():
    assert order({}, Plan("iron", MONDAY, 1, 1)) == MONDAY


def test_days_go_on_after_the_end_of_the_month():
    assert order({"iron": 4}, Plan("iron", date(2025, 3, 30), 1, 1), today=date(2025, 3, 30)) == date(2025, 4, 1)


def test_a_stock_for_all_days_needs_no_order():
    assert order({"iron": HORIZON}, Plan("iron", MONDAY, 1, 1)) is None


def test_the_box_stays_as_it_is():
    box = PillBox({"iron": 4}, [Plan("iron", MONDAY, 1, 1)])
    assert box.order_day(MONDAY) == box.order_day(MONDAY)
    assert box.stock == {"iron": 4}
