        del self._stock[product]
