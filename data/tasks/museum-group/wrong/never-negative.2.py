    price = min(ordinary - off, 0)
