        line = {}
