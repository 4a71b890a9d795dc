        if character.isdigit():
            digits += character
