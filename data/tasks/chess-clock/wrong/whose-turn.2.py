    if player != WHITE:
        raise NotYourTurn(player)
