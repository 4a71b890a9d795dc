    valid = (reading for reading in readings if reading.celsius)
