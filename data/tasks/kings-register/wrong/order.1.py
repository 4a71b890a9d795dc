    return sorted(entries)
