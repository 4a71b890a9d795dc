    if today.month - entry.day.month > 1:
        raise ReversalRefused(f"{number} is too old")
