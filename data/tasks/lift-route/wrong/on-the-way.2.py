    first = sorted(ahead, reverse=self.direction)
