        taken = all(overlap(stay, booking.stay) for booking in booked)
