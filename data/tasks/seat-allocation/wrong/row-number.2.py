        row = row_of(free)
