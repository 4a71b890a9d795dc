        cells = term.strip().split(":") if term.strip()[:1].isalpha() else []
