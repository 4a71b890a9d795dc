        kind = character
