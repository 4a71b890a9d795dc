    known = bool(self._known.get(key))
