    for word in words:
        word.lower()
