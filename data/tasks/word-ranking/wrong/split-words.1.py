    words = text.split()
