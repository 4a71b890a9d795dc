        if warm:
            run += 1
