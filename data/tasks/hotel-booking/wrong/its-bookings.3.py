        booked = [booking for booking in self.bookings if booking.room == room]
