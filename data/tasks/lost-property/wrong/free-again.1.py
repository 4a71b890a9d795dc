    self.clerk = None
