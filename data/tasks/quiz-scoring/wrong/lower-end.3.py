        mark = min(gain - loss, question.points)
