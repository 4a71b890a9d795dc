from datetime import date

from hotel.desk import Booking, Hotel, NoRoom, Room
from hotel.stays import Stay

MONDAY = date(2025, 9, 1)


def open_hotel():
    return Hotel([Room(3, 2, 140), Room(2, 2, 120), Room(1, 2, 120), Room(4, 4, 200)])


def raises(error, hotel, *wish):
    try:
        hotel.book(*wish)
    except error:
        return True
    return False


def test_a_booking_names_room_guest_stay_and_price():
    booking = open_hotel().book("Ada", 2, MONDAY, 2)
    assert booking == Booking(1, "Ada", Stay(MONDAY, date(2025, 9, 3)), 240)


def test_a_stay_may_last_into_the_next_month():
    booking = open_hotel().book("Ada", 2, date(2025, 9, 29), 3)
    assert booking.stay.departure == date(2025, 10, 2)


def test_the_cheapest_room_is_booked_and_of_equal_ones_the_smallest_number():
    hotel = open_hotel()
    assert [hotel.book("Ada", 2, MONDAY, 1).room for _ in range(4)] == [1, 2, 3, 4]


def test_a_room_needs_as_many_beds_as_there_are_people():
    assert open_hotel().book("Ada", 3, MONDAY, 1).room == 4
    assert open_hotel().book("Ada", 1, MONDAY, 1).room == 1


def test_a_room_is_taken_if_one_night_is_in_common():
    hotel = open_hotel()
    hotel.book("Ada", 4, MONDAY, 3)
    assert raises(NoRoom, hotel, "Bob", 4, date(2025, 9, 3), 5)


def test_one_of_several_bookings_is_enough_for_a_room_to_be_taken():
    hotel = open_hotel()
    hotel.book("Ada", 4, MONDAY, 1)
    hotel.book("Bob", 4, date(2025, 9, 10), 1)
    hotel.book("Cleo", 4, date(2025, 9, 20), 1)
    assert raises(NoRoom, hotel, "Dan", 4, date(2025, 9, 9), 3)


def test_on_the_day_of_departure_a_room_is_free_again():
    hotel = open_hotel()
    hotel.book("Ada", 4, MONDAY, 2)
    assert hotel.book("Bob", 4, date(2025, 9, 3), 1).room == 4
    assert hotel.book("Cleo", 4, date(2025, 8, 30), 2).room == 4


def test_weekend_nights_cost_more_and_the_day_of_departure_costs_nothing():
    assert open_hotel().book("Ada", 2, date(2025, 9, 4), 2).price == 120 + 150
    assert open_hotel().book("Ada", 2, date(2025, 9, 3), 2).price == 240


def test_without_a_free_room_an_exception_is_raised():
    assert raises(NoRoom, open_hotel(), "Ada", 5, MONDAY, 1)


def test_less_than_one_night_is_an_error():
    assert raises(ValueError, open_hotel(), "Ada", 2, MONDAY, 0)
    assert raises(ValueError, open_hotel(), "Ada", 2, MONDAY, -1)


def test_the_hotel_keeps_every_booking():
    hotel = open_hotel()
    made = [hotel.book("Ada", 2, MONDAY, 1), hotel.book("Bob", 2, MONDAY, 1)]
    assert hotel.bookings == made
