    used = now - self.since
