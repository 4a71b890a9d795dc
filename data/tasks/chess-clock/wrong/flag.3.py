    if used >= self.left[player]:
        raise GameOver(f"{player} has lost")
