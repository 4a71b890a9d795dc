    minutes = max(minutes - GRACE, 0)
