from datetime import datetime, timedelta

from parking.meter import DAY_PRICE, Meter

NOON = datetime(2025, 6, 10, 12, 0)


def fee(plate="GE 1", start=NOON, **length):
    return Meter(["VD 4711"]).fee(plate, start, start + timedelta(**length))


def test_who_leaves_within_the_grace_pays_nothing():
    assert fee(minutes=0) == 0
    assert fee(minutes=10) == 0


def test_after_the_grace_all_minutes_are_paid():
    assert fee(minutes=11) == 105
    assert fee(minutes=35) == 210


def test_a_step_that_has_only_begun_is_paid():
    assert fee(minutes=30) == 105
    assert fee(minutes=31) == 210


def test_later_minutes_are_paid_by_the_second_band():
    assert fee(hours=2) == 420
    assert fee(hours=2, minutes=1) == 570
    assert fee(hours=4) == 720


def test_a_day_has_a_highest_price():
    assert fee(hours=9) == 1470
    assert fee(hours=12) == DAY_PRICE


def test_each_full_24_hours_cost_the_price_of_a_day():
    assert fee(days=1) == DAY_PRICE
    assert fee(days=2, hours=1) == 2 * DAY_PRICE + 210


def test_midnight_begins_no_new_day():
    assert fee(start=datetime(2025, 6, 10, 23, 30), hours=1) == 210


def test_residents_pay_half_rounded_down():
    found = fee(plate="VD 4711", minutes=30)
    assert found == 52
    assert isinstance(found, int)


def test_a_resident_is_known_however_the_plate_is_written():
    assert fee(plate="vd-4711", hours=2) == 210


def test_half_counts_for_whole_days_too():
    assert fee(plate="VD 4711", days=3) == 2250


def test_a_departure_before_the_arrival_is_an_error():
    try:
        found = Meter([]).fee("GE 1", NOON, NOON - timedelta(minutes=1))
    except ValueError:
        return
    assert found is None, "no exception was raised"
