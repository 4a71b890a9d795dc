            number = 1 if coin <= owed and self._coins[coin] > 0 else 0
