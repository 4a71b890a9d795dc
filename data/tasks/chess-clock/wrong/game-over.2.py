    if self.loser is not None:
        return 0
