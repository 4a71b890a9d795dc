        if 0 <= turned.column < self.width:
