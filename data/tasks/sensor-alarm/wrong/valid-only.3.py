        if not is_valid(reading.value):
            continue
