def press(self, player: str, now: int) -> int:
    """Let a player press the clock; return what they have left, raise GameOver or NotYourTurn."""
    # <game-over>
    if self.loser is not None:
        raise GameOver(f"{self.loser} has lost")
    # </game-over>
    # <whose-turn>
    if player != self.turn:
        raise NotYourTurn(player)
    # </whose-turn>
    # <used>
    used = self.running_time(now)
    # </used>
    # <flag>
    if used >= self.left[player]:
        self.left[player] = 0
        self.loser = player
        return 0
    # </flag>
    self.left[player] -= used
    self.moves[player] += 1
    # <increment>
    self.left[player] += INCREMENT
    # </increment>
    # <bonus>
    if self.moves[player] == BONUS_MOVE:
        self.left[player] += BONUS
    # </bonus>
    # <change-over>
    self.turn = opponent(player)
    # </change-over>
    # <start-other>
    self.start(now)
    # </start-other>
    return self.left[player]
