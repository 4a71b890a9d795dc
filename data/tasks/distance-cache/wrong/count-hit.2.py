        self.hits = 1
