    total = sum(max(mark, 0.0) for mark in marks)
