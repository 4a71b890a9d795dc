    owed = self._prices[product] - sum(paid)
    if owed < 0:
        raise NotEnough(f"{-owed} are missing")
