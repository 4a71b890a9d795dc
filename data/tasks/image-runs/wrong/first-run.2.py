        colour, length = "", 0
