        for coin in set(paid):
            self._coins[coin] += 1
