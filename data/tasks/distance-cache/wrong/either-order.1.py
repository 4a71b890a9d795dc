    key = (one, other)
