    if not self.songs:
        raise StopIteration
