        above = self.ancestors(parent, depth)
