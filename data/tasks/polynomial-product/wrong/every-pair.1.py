    pairs = list(zip(self.terms, other.terms))
