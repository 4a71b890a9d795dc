    calendar = [start + number for number in range(days)]
