        taken = any(one.stay.arrival <= stay.departure and arrival <= one.stay.departure for one in booked)
