        for coin in paid:
            self._coins[coin] = 1
