    before, pieces = "", template.split("{")[1:]
