        if character.isdigit():
            digits = character
            continue
