        needed = self.needed_on(today)
