        line.amount *= factor
        amount = line.amount
