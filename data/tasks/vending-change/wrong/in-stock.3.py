    if left(product) == 0:
        raise SoldOut(product)
