    if used >= self.left[player]:
        self.left[player] = 0
        loser = player
        return 0
