    product = self.terms
