        rows[row] = [seat]
