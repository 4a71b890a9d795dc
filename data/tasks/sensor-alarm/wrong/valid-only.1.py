        if reading.value is None:
            continue
