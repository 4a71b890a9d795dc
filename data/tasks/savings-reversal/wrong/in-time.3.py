    if today > end_of_next_month(today):
        raise ReversalRefused(f"{number} is too old")
