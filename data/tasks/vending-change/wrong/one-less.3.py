        self._stock[product] - 1
