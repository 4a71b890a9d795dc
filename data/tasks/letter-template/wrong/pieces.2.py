    before, pieces = "", template.split("{")
