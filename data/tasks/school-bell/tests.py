from datetime import date

from school.bells import BellPlan

MONDAY = date(2025, 9, 1)


def rings(day=MONDAY, holidays=(), lessons=None, short_days=()):
    found = BellPlan(list(holidays), lessons or {}, set(short_days)).bells(day)
    return [f"{ring:%H:%M}" for ring in found]


def test_the_bell_rings_when_a_lesson_begins_and_when_it_ends():
    assert rings(lessons={0: 1}) == ["08:00", "08:45"]


def test_breaks_between_lessons_differ():
    assert rings(lessons={0: 3}) == ["08:00", "08:45", "08:50", "09:35", "09:55", "10:40"]


def test_without_a_break_two_lessons_share_one_ring():
    assert rings(lessons={0: 4}) == ["08:00", "08:45", "08:50", "09:35", "09:55", "10:40", "11:25"]


def test_a_weekday_with_no_number_of_its_own_has_the_ordinary_number_of_lessons():
    assert rings(lessons={2: 4})[7:] == ["12:25", "13:10", "13:20", "14:05"]


def test_a_number_of_lessons_holds_for_every_such_weekday():
    plan = BellPlan([], {0: 1}, set())
    assert len(plan.bells(MONDAY)) == len(plan.bells(date(2025, 9, 8))) == 2


def test_lessons_are_shorter_on_a_short_day():
    assert rings(lessons={0: 2}, short_days=[MONDAY]) == ["08:00", "08:35", "08:40", "09:15"]


def test_a_short_day_does_not_shorten_other_days():
    assert rings(lessons={0: 1}, short_days=[date(2025, 9, 2)]) == ["08:00", "08:45"]


def test_on_a_weekend_the_bell_does_not_ring():
    assert rings(date(2025, 9, 6)) == []


def test_in_the_holidays_the_bell_does_not_ring_but_it_does_after_them():
    autumn = (date(2025, 10, 13), date(2025, 10, 17))
    assert rings(date(2025, 10, 13), holidays=[autumn]) == []
    assert rings(date(2025, 10, 17), holidays=[autumn]) == []
    assert rings(date(2025, 10, 20), holidays=[autumn]) != []
