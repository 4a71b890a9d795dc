    if day.weekday() >= 5:
        return []
