    if self.loser == player:
        raise GameOver(f"{self.loser} has lost")
