            found[ancestor] = generation
