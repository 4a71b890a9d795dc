    others = ahead - stops
