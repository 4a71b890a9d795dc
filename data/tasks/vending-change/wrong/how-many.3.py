            number = min(owed / coin, self._coins[coin])
