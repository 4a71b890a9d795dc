    known = key in self.asked
