    if any(name in self._taken for name in names):
        raise AlreadySeated(f"one of {names} has a seat")
