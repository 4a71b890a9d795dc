    numbers = range(1, lessons)
