    self._reversals[reversal.number] = reversal
