    for grade in counting.values():
        clip(grade)
