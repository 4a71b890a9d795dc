        order = sorted(COINS).reverse()
