            needed[line.what] = needed.get(line.what, 0) + amount
