            needed[line.what, unit] += amount
