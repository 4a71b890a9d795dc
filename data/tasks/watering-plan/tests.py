from datetime import date

from garden.planning import plan_watering
from garden.plants import Plant


def may(number):
    return date(2025, 5, number)


def told(plants, start, days, rain=None):
    """The plan as pairs of day and names."""
    return list(plan_watering(plants, start, days, rain or {}).items())


def test_a_plant_is_watered_again_and_again():
    assert told([Plant("Fern", 3, may(1))], may(2), 8) == [(may(4), ["Fern"]), (may(7), ["Fern"])]


def test_the_first_day_of_the_plan_is_the_start():
    assert told([Plant("Fern", 3, may(1))], may(4), 1) == [(may(4), ["Fern"])]


def test_the_plan_has_no_more_days_than_asked_for():
    assert told([Plant("Fern", 3, may(1))], may(2), 2) == []


def test_an_overdue_plant_is_watered_at_once_and_counts_from_then():
    assert told([Plant("Fern", 3, may(1))], may(9), 5) == [(may(9), ["Fern"]), (may(12), ["Fern"])]


def test_a_plan_can_go_on_into_the_next_month():
    plants = [Plant("Fern", 4, date(2025, 1, 27))]
    assert told(plants, date(2025, 1, 30), 7) == [(date(2025, 1, 31), ["Fern"]), (date(2025, 2, 4), ["Fern"])]


def test_plants_of_one_day_stand_in_alphabetical_order():
    plants = [Plant("Rose", 2, may(1)), Plant("Aster", 2, may(1)), Plant("Mint", 2, may(1))]
    assert told(plants, may(3), 1) == [(may(3), ["Aster", "Mint", "Rose"])]


def test_each_plant_has_its_own_rhythm():
    plants = [Plant("Aster", 2, may(1)), Plant("Mint", 3, may(1))]
    assert told(plants, may(2), 4) == [(may(3), ["Aster"]), (may(4), ["Mint"]), (may(5), ["Aster"])]


def test_rain_waters_what_is_due():
    plants = [Plant("Fern", 3, may(1))]
    assert told(plants, may(2), 7, {may(4): 9.0}) == [(may(7), ["Fern"])]


def test_rain_waters_what_is_not_yet_due():
    plants = [Plant("Fern", 3, may(1))]
    assert told(plants, may(2), 5, {may(3): 9.0}) == [(may(6), ["Fern"])]


def test_exactly_enough_rain_is_enough():
    assert told([Plant("Fern", 3, may(1))], may(4), 1, {may(4): 5.0}) == []


def test_a_little_rain_is_not_enough():
    assert told([Plant("Fern", 3, may(1))], may(4), 1, {may(4): 4.9}) == [(may(4), ["Fern"])]


def test_rain_does_not_reach_a_covered_plant():
    plants = [Plant("Fern", 3, may(1)), Plant("Palm", 3, may(1), covered=True)]
    assert told(plants, may(4), 1, {may(4): 9.0}) == [(may(4), ["Palm"])]


def test_in_summer_plants_need_water_more_often():
    plants = [Plant("Fern", 4, date(2025, 5, 30))]
    assert told(plants, date(2025, 5, 31), 5) == [(date(2025, 6, 1), ["Fern"]), (date(2025, 6, 3), ["Fern"])]


def test_the_plants_that_are_passed_in_do_not_change():
    plants = [Plant("Rose", 2, may(1)), Plant("Aster", 2, may(1))]
    plan_watering(plants, may(3), 5, {may(4): 9.0})
    assert plants == [Plant("Rose", 2, may(1)), Plant("Aster", 2, may(1))]
