    for name, seat in given.items():
        self._taken[name] = seat
