    mean = sum(given) // len(given)
