    before = dict(self.items)
