        if not is_valid(reading):
            break
