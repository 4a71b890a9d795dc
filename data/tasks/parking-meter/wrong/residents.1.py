    if self.is_resident:
        amount //= 2
