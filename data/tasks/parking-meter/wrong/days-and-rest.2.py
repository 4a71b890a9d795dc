    days, rest = (departure.date() - arrival.date()).days, minutes % DAY
