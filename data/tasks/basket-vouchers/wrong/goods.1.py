    goods = self.subtotal
