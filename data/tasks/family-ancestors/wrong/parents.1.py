    parents = [self._people[name].mother, self._people[name].father] if name in self._people else []
