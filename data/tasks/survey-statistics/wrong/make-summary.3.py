    return (len(given), missing, mean, median, modes)
