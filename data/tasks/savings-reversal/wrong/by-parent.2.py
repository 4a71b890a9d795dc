    reversal = self.reverse(number, today)
