    due = next_open_day(today) + timedelta(days=DAYS)
