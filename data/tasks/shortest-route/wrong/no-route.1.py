    return []
