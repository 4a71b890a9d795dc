    reversal = self.post(today, entry.account, entry.cents)
