    if self.is_resident(plate):
        amount /= 2
