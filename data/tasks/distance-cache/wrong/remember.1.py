    self._known[(one, other)] = distance
