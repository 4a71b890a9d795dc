    return Summary(len(texts), missing, mean, median, modes)
