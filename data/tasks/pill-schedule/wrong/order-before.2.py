                due = last_open_day(day) - timedelta(days=DELIVERY)
