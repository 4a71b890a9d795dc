    days = groupby(sorted(valid, key=lambda reading: reading.time), key=lambda reading: reading.time.date())
