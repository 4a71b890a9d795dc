    key = sorted((one, other))
