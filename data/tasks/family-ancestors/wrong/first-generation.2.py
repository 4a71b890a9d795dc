        line = {parent: 0}
