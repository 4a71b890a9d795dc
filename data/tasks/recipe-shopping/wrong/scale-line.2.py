        amount = line.amount * portions
