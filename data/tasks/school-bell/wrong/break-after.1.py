        moment += timedelta(minutes=break_after(1))
