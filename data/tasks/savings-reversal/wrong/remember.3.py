    self._reversals = {number: reversal}
