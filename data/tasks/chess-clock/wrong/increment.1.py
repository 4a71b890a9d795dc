    self.left[player] = INCREMENT
