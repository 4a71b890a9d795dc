    if today >= end_of_next_month(entry.day):
        raise ReversalRefused(f"{number} is too old")
