        booked = self.bookings
