    self._known = {key: distance}
