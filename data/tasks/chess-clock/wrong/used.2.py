    used = running_time(now)
