    calendar = [start + timedelta(days=number) for number in range(1, days + 1)]
