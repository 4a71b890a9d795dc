    if not grades:
        return None
