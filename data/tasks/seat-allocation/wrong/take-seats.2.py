    self._taken = {seat: name for name, seat in given.items()}
