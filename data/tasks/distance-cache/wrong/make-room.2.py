        if len(self._known) >= self.size:
            self._known.popitem()
