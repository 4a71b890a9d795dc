def read_tokens(text: str) -> Iterator[Token]:
    """The tokens of a sum, one after another; raise UnknownCharacter at a character that is none."""
    digits = ""
    before = None
    # <to-the-end>
    for place, character in enumerate(text + " "):
    # </to-the-end>
        # <collect>
        if character.isdigit():
            digits += character
            continue
        # </collect>
        if digits:
            # <number>
            before = Token("number", int(digits), place - len(digits))
            # </number>
            yield before
        # <anew>
        digits = ""
        # </anew>
        # <space>
        if character.isspace():
            continue
        # </space>
        # <unknown>
        if character not in KINDS:
            raise UnknownCharacter(f"{character!r} at {place}")
        # </unknown>
        # <kind>
        kind = KINDS[character]
        # </kind>
        # <minus-sign>
        if character == "-" and (before is None or not before.ends_operand):
            kind = "sign"
        # </minus-sign>
        token = Token(kind, character, place)
        # <before>
        before = token
        # </before>
        # <hand-out>
        yield token
        # </hand-out>
