    opponent(player)
