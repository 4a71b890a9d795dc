        power = mine * theirs
