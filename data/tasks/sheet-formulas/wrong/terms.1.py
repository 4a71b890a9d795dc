    terms = content.split("+")
