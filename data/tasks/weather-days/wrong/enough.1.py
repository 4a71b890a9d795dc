        if len(values) <= FEWEST:
            continue
