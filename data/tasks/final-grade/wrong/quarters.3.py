    round_to_quarter(mean)
    return mean
