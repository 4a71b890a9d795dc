    clicks = parse_line(lines)
