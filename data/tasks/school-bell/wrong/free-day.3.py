    if self.is_free:
        return []
