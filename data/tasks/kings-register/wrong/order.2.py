    return sorted(keyed)
