    distances = {town: 0 for town in self._roads}
