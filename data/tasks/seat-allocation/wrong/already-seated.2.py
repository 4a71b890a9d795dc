    if names in self._taken.values():
        raise AlreadySeated(f"one of {names} has a seat")
