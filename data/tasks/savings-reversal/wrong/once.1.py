    if number in self._reversals.values():
        raise ReversalRefused(f"{number} is reversed already")
