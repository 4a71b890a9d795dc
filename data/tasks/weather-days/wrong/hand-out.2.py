        yield Day(day, max(values), min(values), mean)
