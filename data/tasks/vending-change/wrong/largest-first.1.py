        order = COINS
