    if self._stock[product] == 0:
        raise SoldOut(product)
