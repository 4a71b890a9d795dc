    if number in self._reversals:
        return self._reversals[number]
