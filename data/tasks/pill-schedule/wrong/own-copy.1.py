    stock = self.stock
