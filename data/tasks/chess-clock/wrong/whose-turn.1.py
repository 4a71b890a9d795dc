    if player != self.turn:
        NotYourTurn(player)
