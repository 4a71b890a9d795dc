        distance = self._known[key]
