        if len(values) < FEWEST:
            break
