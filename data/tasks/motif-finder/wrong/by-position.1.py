    return hits
