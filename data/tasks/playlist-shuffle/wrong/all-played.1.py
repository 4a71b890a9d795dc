        over = last is None
