    readings = parse_line(lines)
