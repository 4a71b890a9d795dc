        return Day(day, min(values), max(values), mean)
