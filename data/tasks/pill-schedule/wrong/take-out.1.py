            stock[pill] - number
