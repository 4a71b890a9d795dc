        if not is_numeral(last):
            continue
