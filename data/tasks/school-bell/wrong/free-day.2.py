    if self.is_free(day):
        return None
