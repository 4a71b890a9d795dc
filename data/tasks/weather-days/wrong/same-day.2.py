    days = groupby(valid, key=lambda reading: reading.time)
