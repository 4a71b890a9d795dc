                length = 0
