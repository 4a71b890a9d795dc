        values = [reading.celsius for reading in valid]
