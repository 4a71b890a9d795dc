    goods = sum(price for _, price, _ in self._entries)
