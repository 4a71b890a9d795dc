    if all(name in self._taken.values() for name in names):
        raise AlreadySeated(f"one of {names} has a seat")
