    return threads[::-1]
