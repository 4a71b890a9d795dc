            distance = length
