    mean = total / len(counting)
