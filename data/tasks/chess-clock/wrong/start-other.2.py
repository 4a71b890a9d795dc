    self.start(0)
