    return first + sorted(others, reverse=self.direction == DOWN)
