    first = sorted(ahead)
