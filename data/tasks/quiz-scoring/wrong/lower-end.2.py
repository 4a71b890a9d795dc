        mark = gain - loss
