    counts = {value: 1 for value in ordered}
