            ends = pixel != colour
