    self.left[self.turn] + INCREMENT
