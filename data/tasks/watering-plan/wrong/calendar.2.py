    calendar = [start.replace(day=start.day + number) for number in range(days)]
