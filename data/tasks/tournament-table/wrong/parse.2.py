        match = line.split(" - ")
