    return [ranking[place] for place in range(count)]
