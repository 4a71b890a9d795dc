        above = self.ancestors(name, depth - 1)
