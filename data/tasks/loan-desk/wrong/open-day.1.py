    due = today + timedelta(days=DAYS)
