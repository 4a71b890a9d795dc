    days, rest = 0, minutes
