        power = max(mine, theirs)
