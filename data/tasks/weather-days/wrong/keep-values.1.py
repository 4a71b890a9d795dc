        values = (reading.celsius for reading in group)
