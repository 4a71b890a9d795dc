    return sorted(others, reverse=self.direction == UP) + first
