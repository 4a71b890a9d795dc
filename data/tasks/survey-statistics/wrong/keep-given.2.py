    given = [value or 0 for value in values]
