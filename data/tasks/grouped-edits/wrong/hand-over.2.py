        return self
