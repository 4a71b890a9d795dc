    ordinary = self.price(day)
