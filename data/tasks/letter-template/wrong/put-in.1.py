        filled.append(value)
