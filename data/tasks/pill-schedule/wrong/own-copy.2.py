    stock = self.stock.copy
