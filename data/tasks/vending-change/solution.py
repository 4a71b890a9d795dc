def buy(self, product: str, paid: list[int]) -> list[int]:
    """Sell a product for coins out of `COINS` and return the change; raise SoldOut, NotEnough or NoChange."""
    # <in-stock>
    if self.left(product) == 0:
        raise SoldOut(product)
    # </in-stock>
    # <enough-money>
    owed = sum(paid) - self._prices[product]
    if owed < 0:
        raise NotEnough(f"{-owed} are missing")
    # </enough-money>
    change: list[int] = []
    # <transaction>
    with self.transaction():
    # </transaction>
        # <take-coins>
        for coin in paid:
            self._coins[coin] += 1
        # </take-coins>
        # <largest-first>
        order = sorted(COINS, reverse=True)
        # </largest-first>
        for coin in order:
            # <how-many>
            number = min(owed // coin, self._coins[coin])
            # </how-many>
            # <give-coins>
            change += [coin] * number
            self._coins[coin] -= number
            # </give-coins>
            # <still-owed>
            owed -= coin * number
            # </still-owed>
        # <exact-change>
        if owed > 0:
            raise NoChange(f"{owed} cannot be given back")
        # </exact-change>
        # <one-less>
        self._stock[product] -= 1
        # </one-less>
    return change
