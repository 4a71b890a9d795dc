    earliest = to_minutes(now)
