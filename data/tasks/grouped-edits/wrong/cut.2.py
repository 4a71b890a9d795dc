    self.done.clear()
