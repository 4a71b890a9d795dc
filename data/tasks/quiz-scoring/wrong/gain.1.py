        gain = question.points * hits
