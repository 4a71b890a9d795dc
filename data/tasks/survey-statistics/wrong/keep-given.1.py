    given = [value for value in values if value]
