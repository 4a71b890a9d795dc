    with self.transaction:
