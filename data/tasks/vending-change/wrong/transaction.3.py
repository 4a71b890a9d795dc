    with self.transaction() as change:
