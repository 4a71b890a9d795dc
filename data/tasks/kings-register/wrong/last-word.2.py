        name, last = entry.split(" ")
