    if used > self.left[player]:
        self.left[player] = 0
        self.loser = player
        return 0
