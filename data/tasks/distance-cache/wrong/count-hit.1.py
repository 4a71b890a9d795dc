        hits = self.hits + 1
