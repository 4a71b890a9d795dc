    if self.moves[player] >= BONUS_MOVE:
        self.left[player] += BONUS
