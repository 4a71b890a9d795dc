            change += [coin] * number
