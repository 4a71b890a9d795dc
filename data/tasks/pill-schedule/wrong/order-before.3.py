                due = last_open_day(day)
