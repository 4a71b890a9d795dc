        yield dict(self.items)
