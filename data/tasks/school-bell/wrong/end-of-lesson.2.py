        moment += timedelta(length)
