            change.append([coin] * number)
            self._coins[coin] -= number
