    if not free:
        return None
