        run = 1 if warm else 0
