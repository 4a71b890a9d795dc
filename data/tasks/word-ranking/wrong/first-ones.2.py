    return ranking[: count - 1]
