    self.bookings = [booking]
