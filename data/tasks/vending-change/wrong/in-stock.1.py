    if product not in self._stock:
        raise SoldOut(product)
