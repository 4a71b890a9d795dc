            before = Token("number", digits, place - len(digits))
