    return [departures[place] for place in range(ROWS)]
