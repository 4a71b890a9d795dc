    self._loans[member] = loan
