def fee(self, plate: str, arrival: datetime, departure: datetime) -> int:
    """What a car pays for its stay; raise ValueError if it left before it came."""
    # <right-way-round>
    if departure < arrival:
        raise ValueError(f"left at {departure}, before it came")
    # </right-way-round>
    # <minutes>
    minutes = int((departure - arrival).total_seconds()) // 60
    # </minutes>
    # <grace>
    if minutes <= GRACE:
        return 0
    # </grace>
    # <days-and-rest>
    days, rest = divmod(minutes, DAY)
    # </days-and-rest>
    amount = 0
    for band in BANDS:
        # <in-band>
        inside = min(rest, band.end) - band.begin
        # </in-band>
        if inside > 0:
            # <begun-steps>
            amount += count_begun(inside, band.step) * band.price
            # </begun-steps>
    # <at-most>
    amount = min(amount, DAY_PRICE)
    # </at-most>
    amount += days * DAY_PRICE
    # <residents>
    if self.is_resident(plate):
        amount //= 2
    # </residents>
    return amount
