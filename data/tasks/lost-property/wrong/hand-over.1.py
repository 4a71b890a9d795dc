        return self.items
