        line = {ancestor: generation + 1 for ancestor, generation in above.items()}
