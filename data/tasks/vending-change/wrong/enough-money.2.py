    owed = max(paid) - self._prices[product]
    if owed < 0:
        raise NotEnough(f"{-owed} are missing")
