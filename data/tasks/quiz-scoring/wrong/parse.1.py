        chosen = set(written.split(", ")) if written else set()
