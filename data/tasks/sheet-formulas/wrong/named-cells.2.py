        cells = [term.strip()] if term.strip()[:1].isalpha() else []
