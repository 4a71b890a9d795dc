    total = sum(marks)
