        chosen = parse_choices(sheet)
