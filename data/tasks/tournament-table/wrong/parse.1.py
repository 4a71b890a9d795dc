        match = parse_match(lines)
