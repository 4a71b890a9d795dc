        mark = max(gain - loss, 0.0)
