    if entry.cents >= self.available(entry.account):
        raise ReversalRefused(f"{entry.account} has not enough money")
