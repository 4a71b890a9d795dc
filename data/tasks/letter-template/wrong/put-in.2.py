        filled.append(value + piece)
