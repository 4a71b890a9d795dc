    parents = self.parents_of(name)[:1]
