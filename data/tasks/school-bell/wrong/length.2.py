    length = LONG
