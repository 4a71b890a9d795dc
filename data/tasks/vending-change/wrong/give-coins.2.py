            if number > 0:
                change.append(coin)
            self._coins[coin] -= number
