        moment += timedelta(minutes=break_after(number + 1))
