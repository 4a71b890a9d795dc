        if not is_numeral(last):
            last = "I"
