            stock[pill] -= 1
