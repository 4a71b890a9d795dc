from datetime import date

from museum.tickets import GroupTicket, TooSmall

TUESDAY = date(2025, 4, 15)
FIRST = date(2025, 4, 1)


def price(ages, day=TUESDAY, guided=False):
    return GroupTicket(ages, guided).price(day)


def test_a_small_group_pays_what_its_visitors_would_pay():
    assert price([40] * 9) == 9 * 1200
    assert price([10] * 7 + [40, 70]) == 7 * 500 + 1200 + 900


def test_the_smallest_group_is_a_group():
    assert price([40] * 8) == 8 * 1200


def test_fewer_visitors_are_no_group():
    try:
        found = price([40] * 7)
    except TooSmall:
        return
    assert found is None, "no exception was raised"


def test_young_children_may_be_in_a_group():
    assert price([5] * 7 + [40] * 2) == 7 * 500 + 2 * 1200


def test_every_full_ten_visitors_give_a_free_place():
    assert price([40] * 10) == 9 * 1200
    assert price([40] * 19) == 18 * 1200
    assert price([40] * 20) == 18 * 1200


def test_a_free_place_is_worth_an_adults_entry_whoever_comes():
    assert price([10] * 10) == 10 * 500 - 1200


def test_on_a_free_day_a_group_pays_nothing():
    assert price([40] * 9, day=FIRST) == 0


def test_an_entry_never_costs_less_than_nothing():
    assert price([40] * 20, day=FIRST) == 0


def test_guides_are_paid_on_top():
    assert price([40] * 9, guided=True) == 9 * 1200 + 8000


def test_large_groups_need_several_guides():
    assert price([40] * 16, guided=True) == 15 * 1200 + 2 * 8000


def test_guides_are_paid_on_free_days_too():
    assert price([40] * 20, day=FIRST, guided=True) == 2 * 8000
