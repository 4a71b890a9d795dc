        gain = question.points * hits / len(question.options)
