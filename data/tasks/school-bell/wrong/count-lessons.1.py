    numbers = range(lessons)
