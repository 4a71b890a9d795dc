    if self.moves == BONUS_MOVE:
        self.left[player] += BONUS
