        colour, length = row[0], 1
