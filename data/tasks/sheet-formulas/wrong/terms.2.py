    terms = list(content[1:])
