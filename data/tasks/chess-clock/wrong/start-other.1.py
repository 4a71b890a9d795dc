    self.since = now
