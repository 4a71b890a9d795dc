    known = key in self._known.values()
