    if entry in self._reversals:
        raise ReversalRefused(f"{number} is itself a reversal")
