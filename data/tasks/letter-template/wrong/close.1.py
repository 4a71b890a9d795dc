        inside, brace, after = piece.rpartition("}")
