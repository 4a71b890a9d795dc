        if len(self._known) > self.size:
            del self._known[self.oldest()]
