    merged = mine
