    before = self.items
