        gain = question.points * hits // len(question.right)
