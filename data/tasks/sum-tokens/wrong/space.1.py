        if character.isspace():
            break
