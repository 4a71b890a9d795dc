        if not cells:
            total = read_number(term)
