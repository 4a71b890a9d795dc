def order_day(self, today: date) -> date | None:
    """The day on which pills must be ordered, or None if the stock lasts for all days looked at."""
    # <own-copy>
    stock = dict(self.stock)
    # </own-copy>
    for ahead in range(HORIZON):
        # <which-day>
        day = today + timedelta(days=ahead)
        # </which-day>
        # <needed>
        needed = self.needed_on(day)
        # </needed>
        for pill, number in needed.items():
            # <too-few>
            short = stock.get(pill, 0) < number
            # </too-few>
            if short:
                # <order-before>
                due = last_open_day(day - timedelta(days=DELIVERY))
                # </order-before>
                # <not-in-the-past>
                return max(due, today)
                # </not-in-the-past>
            # <take-out>
            stock[pill] -= number
            # </take-out>
    return None
