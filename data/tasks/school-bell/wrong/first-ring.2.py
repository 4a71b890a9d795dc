    moment = datetime(day.year, day.month, day.day)
