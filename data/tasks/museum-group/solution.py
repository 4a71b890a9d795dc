def price(self, day: date) -> int:
    """What the group pays on a day; raise TooSmall if it is none."""
    # <big-enough>
    if len(self.ages) < SMALLEST:
        raise TooSmall(f"{len(self.ages)} visitors")
    # </big-enough>
    # <ordinary-price>
    ordinary = super().price(day)
    # </ordinary-price>
    # <free-places>
    free = len(self.ages) // PER_FREE_PLACE
    # </free-places>
    off = free * PRICES["adult"]
    # <never-negative>
    price = max(ordinary - off, 0)
    # </never-negative>
    if self.guided:
        # <guides>
        price += guide_fee(len(self.ages))
        # </guides>
    return price
