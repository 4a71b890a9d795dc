        booked = bookings_of(room)
