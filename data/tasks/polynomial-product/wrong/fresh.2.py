    product = dict(self.terms)
