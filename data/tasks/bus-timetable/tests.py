from buses.board import Departure, next_buses


def test_a_departure_has_its_minute_after_midnight_and_its_bus():
    assert next_buses(["12 Harbour: 07:35"], "07:00", True) == [Departure(455, "12 Harbour")]


def test_the_earliest_departure_stands_first():
    found = next_buses(["9 Station: 07:40 07:20", "12 Harbour: 07:30"], "07:00", True)
    assert [departure.minute for departure in found] == [440, 450, 460]


def test_buses_of_the_same_minute_stand_in_the_order_of_their_rows():
    found = next_buses(["9 Station: 07:30", "12 Harbour: 07:30"], "07:00", True)
    assert [departure.bus for departure in found] == ["9 Station", "12 Harbour"]


def test_two_blanks_between_times_are_as_good_as_one():
    found = next_buses(["9 Station: 07:10  07:20"], "07:00", True)
    assert [departure.minute for departure in found] == [430, 440]


def test_buses_that_leave_before_one_reaches_the_stop_are_not_shown():
    found = next_buses(["9 Station: 06:50 07:03 07:05"], "07:00", True)
    assert [departure.minute for departure in found] == [425]


def test_a_bus_that_leaves_just_when_one_reaches_the_stop_is_shown():
    found = next_buses(["9 Station: 07:04"], "07:00", True)
    assert [departure.minute for departure in found] == [424]


def test_the_way_to_the_stop_may_last_beyond_the_full_hour():
    found = next_buses(["9 Station: 08:01 08:02"], "07:58", True)
    assert [departure.minute for departure in found] == [482]


def test_a_star_means_school_days_only():
    rows = ["9 Station: 07:10* 07:20"]
    assert [departure.minute for departure in next_buses(rows, "07:00", True)] == [430, 440]
    assert [departure.minute for departure in next_buses(rows, "07:00", False)] == [440]


def test_no_more_departures_are_shown_than_the_screen_has_rows():
    found = next_buses(["9 Station: 07:10 07:20 07:30 07:40"], "07:00", True)
    assert [departure.minute for departure in found] == [430, 440, 450]


def test_after_the_last_bus_nothing_is_shown():
    assert next_buses(["9 Station: 07:10"], "23:00", True) == []
