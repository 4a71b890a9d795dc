    valid = readings
