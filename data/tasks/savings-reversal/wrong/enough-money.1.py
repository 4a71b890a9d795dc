    if entry.cents > self.balance(entry.account):
        raise ReversalRefused(f"{entry.account} has not enough money")
