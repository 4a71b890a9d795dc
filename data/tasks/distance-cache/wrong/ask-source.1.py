        distance = self.distance(one, other)
