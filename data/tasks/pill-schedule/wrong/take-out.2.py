            stock[pill] = number
