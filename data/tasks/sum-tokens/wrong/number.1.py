            before = Token("number", int(digits), place)
