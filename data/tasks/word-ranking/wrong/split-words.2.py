    words = text.split(" ")
