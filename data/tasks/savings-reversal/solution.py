def reverse(self, number: int, today: date) -> Entry:
    """Reverse an entry and return the new one; raise ReversalRefused if the rules do not allow it."""
    # <find>
    entry = self.find(number)
    # </find>
    # <once>
    if number in self._reversals:
        raise ReversalRefused(f"{number} is reversed already")
    # </once>
    # <not-a-reversal>
    if entry in self._reversals.values():
        raise ReversalRefused(f"{number} is itself a reversal")
    # </not-a-reversal>
    # <in-time>
    if today > end_of_next_month(entry.day):
        raise ReversalRefused(f"{number} is too old")
    # </in-time>
    # <enough-money>
    if entry.cents > self.available(entry.account):
        raise ReversalRefused(f"{entry.account} has not enough money")
    # </enough-money>
    # <by-parent>
    reversal = super().reverse(number, today)
    # </by-parent>
    # <remember>
    self._reversals[number] = reversal
    # </remember>
    return reversal
