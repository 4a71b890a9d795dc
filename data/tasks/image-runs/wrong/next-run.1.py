                colour = pixel
