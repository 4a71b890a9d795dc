    held = list(self._loans.values())
