                colour, length = pixel, 1
