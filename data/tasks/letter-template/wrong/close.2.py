        end = piece.find("}")
        inside, brace, after = piece[:end], end >= 0, piece[end:]
