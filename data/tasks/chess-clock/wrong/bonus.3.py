    if sum(self.moves.values()) == BONUS_MOVE:
        self.left[player] += BONUS
