from sensors.alarm import Event, Limits, watch
from sensors.readings import Reading

LIMITS = Limits(high=8.0, low=5.0)


def events(*values):
    """The events for one value a minute."""
    return list(watch([Reading(minute, value) for minute, value in enumerate(values)], LIMITS))


def test_while_it_is_cold_nothing_happens():
    assert events(2.0, 3.5, 4.9) == []


def test_two_warm_readings_in_a_row_switch_the_alarm_on():
    assert events(4.0, 9.0, 9.5) == [Event(2, True)]


def test_warm_readings_that_do_not_follow_each_other_are_not_enough():
    assert events(9.0, 7.0, 9.0, 7.0, 9.0) == []


def test_exactly_the_upper_limit_is_too_warm():
    assert events(8.0, 8.0) == [Event(1, True)]


def test_the_alarm_is_told_once_however_long_it_lasts():
    assert events(9.0, 9.0, 9.0, 9.0, 9.0) == [Event(1, True)]


def test_below_the_lower_limit_the_alarm_goes_off():
    assert events(9.0, 9.0, 4.0) == [Event(1, True), Event(2, False)]


def test_between_the_limits_the_alarm_stays_on():
    assert events(9.0, 9.0, 6.0, 7.9, 6.0) == [Event(1, True)]


def test_exactly_the_lower_limit_is_not_cold_enough():
    assert events(9.0, 9.0, 5.0) == [Event(1, True)]


def test_between_the_limits_the_alarm_stays_off():
    assert events(6.0, 7.0, 6.0) == []


def test_after_an_alarm_there_can_be_another():
    assert events(9.0, 9.0, 4.0, 9.0, 9.0) == [Event(1, True), Event(2, False), Event(4, True)]


def test_readings_that_are_missing_or_impossible_are_passed_over():
    assert events(9.0, None, 9.0) == [Event(2, True)]
    assert events(9.0, -999.0, 9.0, 999.0, 4.0) == [Event(2, True), Event(4, False)]


def test_an_event_is_told_before_the_readings_end():
    def told():
        yield Reading(0, 9.0)
        yield Reading(1, 9.0)
        raise AssertionError("a third reading was asked for before the event was yielded")

    assert next(iter(watch(told(), LIMITS))) == Event(1, True)


def test_a_lower_limit_that_is_not_below_the_upper_one_is_an_error():
    try:
        list(watch([Reading(0, 4.0)], Limits(high=5.0, low=5.0)))
    except ValueError:
        return
    raise AssertionError("no ValueError was raised")
