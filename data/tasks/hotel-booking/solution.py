def book(self, guest: str, people: int, arrival: date, nights: int) -> Booking:
    """Book a room for a guest and the people with them, and return the booking; raise ValueError or NoRoom."""
    # <one-night>
    if nights < 1:
        raise ValueError(f"{nights} nights are no stay")
    # </one-night>
    # <whole-stay>
    stay = Stay(arrival, arrival + timedelta(days=nights))
    # </whole-stay>
    free: list[Room] = []
    for room in self.rooms:
        # <enough-beds>
        if room.beds < people:
            continue
        # </enough-beds>
        # <its-bookings>
        booked = self.bookings_of(room)
        # </its-bookings>
        # <no-overlap>
        taken = any(overlap(stay, booking.stay) for booking in booked)
        # </no-overlap>
        if not taken:
            free.append(room)
    # <none-free>
    if not free:
        raise NoRoom(f"for {people} people from {arrival}")
    # </none-free>
    # <cheapest>
    room = min(free, key=lambda room: (room.price, room.number))
    # </cheapest>
    # <price-of-nights>
    price = sum(night_price(room.price, arrival + timedelta(days=night)) for night in range(nights))
    # </price-of-nights>
    # <make-booking>
    booking = Booking(room.number, guest, stay, price)
    # </make-booking>
    # <keep-it>
    self.bookings.append(booking)
    # </keep-it>
    return booking
