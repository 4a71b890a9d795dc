    return Summary(len(given), missing, median, mean, modes)
