    if book in self._loans:
        return self._loans[book]
