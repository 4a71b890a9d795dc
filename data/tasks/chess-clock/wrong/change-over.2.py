    self.turn = BLACK
