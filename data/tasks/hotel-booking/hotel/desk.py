"""The desk at which rooms are booked."""

from dataclasses import dataclass
from datetime import date, timedelta

from hotel.rates import night_price
from hotel.stays import Stay, overlap


class NoRoom(Exception):
    """No room that would do is free."""


@dataclass(frozen=True)
class Room:
    """A room and what an ordinary night in it costs."""

    number: int
    beds: int
    price: int


@dataclass(frozen=True)
class Booking:
    """A room, by its number, that is booked for a guest."""

    room: int
    guest: str
    stay: Stay
    price: int


class Hotel:
    """Rooms and their bookings."""

    def __init__(self, rooms: list[Room]) -> None:
        self.rooms = list(rooms)
        self.bookings: list[Booking] = []

    def bookings_of(self, room: Room) -> list[Booking]:
        """The bookings of one room."""
        return [booking for booking in self.bookings if booking.room == room.number]

    def book(self, guest: str, people: int, arrival: date, nights: int) -> Booking:
        """Book a room for a guest and the people with them, and return the booking; raise ValueError or NoRoom."""
        raise NotImplementedError
