    if self.transaction():
