    entry = self.entries[number]
