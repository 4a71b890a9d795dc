        values = [VALUES[last[0]]]
