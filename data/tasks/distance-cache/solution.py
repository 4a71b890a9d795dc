def distance(self, one: str, other: str) -> float:
    """The distance of two cities in kilometres, remembered if possible; raise UnknownCity."""
    # <either-order>
    key = tuple(sorted((one, other)))
    # </either-order>
    # <seen-before>
    known = key in self._known
    # </seen-before>
    if known:
        # <count-hit>
        self.hits += 1
        # </count-hit>
        # <newest-again>
        distance = self._known.pop(key)
        # </newest-again>
    else:
        # <ask-source>
        distance = super().distance(one, other)
        # </ask-source>
        # <make-room>
        if len(self._known) >= self.size:
            del self._known[self.oldest()]
        # </make-room>
    # <remember>
    self._known[key] = distance
    # </remember>
    return distance
