        yield Day(day, values[0], values[-1], mean)
