from datetime import date

from weather.days import Day, summarise_days


def measure(day, *values):
    return [f"{day} {hour:02}:00 {value}" for hour, value in enumerate(values)]


def test_a_day_has_its_lowest_highest_and_mean_temperature():
    found = list(summarise_days(measure("2025-03-01", 2.0, 1.0, 8.0, 3.0)))
    assert found == [Day(date(2025, 3, 1), 1.0, 8.0, 3.5)]


def test_temperatures_may_lie_below_zero():
    found = list(summarise_days(measure("2025-01-31", -3.0, -9.0, -6.0)))
    assert found == [Day(date(2025, 1, 31), -9.0, -3.0, -6.0)]


def test_the_mean_is_rounded_to_one_decimal():
    (found,) = summarise_days(measure("2025-03-01", 2.0, 2.0, 3.0))
    assert found.mean == 2.3


def test_every_day_is_summarised_the_last_one_too():
    lines = measure("2025-03-01", 1, 2, 3) + measure("2025-03-02", 4, 5, 6)
    assert [(day.date.day, day.mean) for day in summarise_days(lines)] == [(1, 2.0), (2, 5.0)]


def test_the_same_day_of_two_months_is_two_days():
    lines = measure("2025-03-05", 1, 2, 3) + measure("2025-04-05", 4, 5, 6)
    assert [day.mean for day in summarise_days(lines)] == [2.0, 5.0]


def test_where_the_sensor_failed_the_measurement_does_not_count():
    found = list(summarise_days(measure("2025-03-01", 1.0, "--", 2.0, 6.0)))
    assert found == [Day(date(2025, 3, 1), 1.0, 6.0, 3.0)]


def test_zero_degrees_count():
    found = list(summarise_days(measure("2025-03-01", 0.0, 3.0, 6.0)))
    assert found == [Day(date(2025, 3, 1), 0.0, 6.0, 3.0)]


def test_a_day_with_too_few_measurements_is_left_out_and_the_next_one_is_not():
    lines = measure("2025-03-01", 1, 2, "--") + measure("2025-03-02", 4, 5, 6)
    assert [day.date.day for day in summarise_days(lines)] == [2]


def test_a_day_is_handed_out_before_the_station_has_sent_everything():
    def send():
        yield from measure("2025-03-01", 1, 2, 3)
        yield from measure("2025-03-02", 4)
        raise AssertionError("read more lines than the day needs")

    assert next(iter(summarise_days(send()))).mean == 2.0
