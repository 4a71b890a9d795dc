    readings = [parse_line(line) for line in lines]
