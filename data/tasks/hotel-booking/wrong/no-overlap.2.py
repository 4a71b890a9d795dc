        taken = any(booking.stay.arrival == arrival for booking in booked)
