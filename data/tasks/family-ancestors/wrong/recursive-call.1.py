        above = {each: 1 for each in self.parents_of(parent)}
