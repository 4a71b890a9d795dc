    words = [word.capitalize() for word in words]
